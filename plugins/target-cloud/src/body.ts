import { cloudFps } from '@vid/client'
import { type CloudRenderInput, cloudFormats, type RenderRequest, type TakenSettings } from '@vid/kernel'

/** Resolutions by the hosted API's names, which set the shorter side. */
export type Resolution = NonNullable<CloudRenderInput['resolution']>

/** The settings that the hosted API supports. The server decides on network access, and always allows some. */
export const cloudTakes: TakenSettings = {
  entry: true,
  format: cloudFormats,
  fps: true,
  quality: true,
  resolution: true,
  gifLoop: true,
  loudness: true,
  ladder: true,
  variables: true,
  strictVariables: true,
  strict: true,
  network: ['public', 'declared'],
  raster: ['auto', 'portable'],
  browserGpu: ['auto', false],
}

/** Describes the other parts of a request that the hosted API does not support. */
export const refusedByApi = (
  { format, fps, ladder }: RenderRequest,
  { resolution }: { readonly resolution: Resolution | 'auto' },
): readonly string[] => {
  const problems: string[] = []
  if (cloudFps(fps as number | string) === undefined)
    problems.push(`${fps} frames a second are not supported; whole numbers and the rates of television are`)
  if (ladder !== undefined && format !== 'hls') problems.push(`a ladder is for hls only; got ${format}`)
  if (resolution === '4k' && format !== 'mp4')
    problems.push(`resolution 4k is for mp4 only, since there is no alpha at 4k; got ${format}`)
  return problems
}

/** Converts a request to the hosted API's format, for an uploaded project. */
export const bodyOf = (request: RenderRequest, assetId: string, resolution: Resolution): CloudRenderInput => {
  const { entry, quality, fps, loudness, ladder, variables, strictVariables } = request
  const number = cloudFps(fps as number | string)
  const format = cloudFormats.find((name) => name === request.format)
  return {
    project: { type: 'asset_id', asset_id: assetId },
    ...(number !== undefined && { fps: number }),
    ...(format && { format }),
    quality,
    resolution,
    composition: entry,
    ...(loudness !== undefined && { loudness }),
    ...(ladder !== undefined && { ladder }),
    variables,
    strict_variables: strictVariables,
  }
}
