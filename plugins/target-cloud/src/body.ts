import { cloudFps } from '@vid/client'
import { type CloudRenderInput, cloudFormats, type RenderRequest } from '@vid/kernel'

/** Sizes of the shorter side, by the names that the hosted API gives them. */
export type Resolution = NonNullable<CloudRenderInput['resolution']>

/** The format of a request, where the API makes it. */
const formatOf = ({ format }: Pick<RenderRequest, 'format'>) => cloudFormats.find((known) => known === format)

/** The most frames of a segment that requests have by default; it decides where key frames stand. */
const SEGMENT_FRAMES = 120

/** What of a request the hosted API cannot do, in words. */
export const refusedByApi = (
  request: RenderRequest,
  { resolution }: { readonly resolution: Resolution | 'auto' },
): readonly string[] => {
  const { format, outputs, fps, network, segmentFrames, videoFrameFormat } = request
  const unknown = (['scale', 'from', 'to', 'crf', 'videoBitrate', 'hdr', 'sdr', 'gpu'] as const).filter(
    (name) => request[name] !== undefined && request[name] !== false,
  )
  return [
    ...(request.browserGpu === true ? ['browserGpu is not supported'] : []),
    ...(request.raster === 'native' ? ['raster native is not supported'] : []),
    ...(formatOf(request) === undefined
      ? [`the format ${format} is not supported; it makes ${cloudFormats.join(', ')}`]
      : []),
    ...(outputs.length > 0 ? ['several outputs are not supported'] : []),
    ...unknown.map((name) => `${name} is not supported`),
    ...(cloudFps(fps as number | string) === undefined
      ? [`${fps} frames a second are not supported; whole numbers and the rates of television are`]
      : []),
    // The server decides what pages may have fetched, and lets them have more than nothing.
    ...(network === 'none' ? ['network none is not supported'] : []),
    ...(segmentFrames === SEGMENT_FRAMES ? [] : ['segmentFrames is not supported']),
    ...(videoFrameFormat === 'auto' ? [] : ['videoFrameFormat is not supported']),
    ...(resolution === '4k' && format !== 'mp4'
      ? [`resolution 4k is for mp4 only, since there is no alpha at 4k; got ${format}`]
      : []),
  ]
}

/** A request as the hosted API takes it, for a project that was uploaded. */
export const bodyOf = (request: RenderRequest, assetId: string, resolution: Resolution): CloudRenderInput => {
  const { entry, quality, fps, variables, strictVariables } = request
  const number = cloudFps(fps as number | string)
  const format = formatOf(request)
  return {
    project: { type: 'asset_id', asset_id: assetId },
    ...(number !== undefined && { fps: number }),
    ...(format && { format }),
    quality,
    resolution,
    composition: entry,
    variables,
    strict_variables: strictVariables,
  }
}
