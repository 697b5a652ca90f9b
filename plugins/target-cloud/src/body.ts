import { cloudFps } from '@vid/client'
import {
  type CloudRenderInput,
  cloudCaptions,
  cloudFormats,
  type RenderRequest,
  type TakenSettings,
  usesCaptions,
} from '@vid/kernel'

/** Resolutions by the hosted API's names, which set the shorter side. */
export type Resolution = NonNullable<CloudRenderInput['resolution']>

/** The settings that the hosted API supports. The server decides on network access, and always allows some. */
export const cloudTakes: TakenSettings = {
  entry: true,
  format: cloudFormats,
  fps: true,
  quality: true,
  codec: true,
  poster: true,
  shapes: true,
  resolution: true,
  gifLoop: true,
  loudness: true,
  captions: true,
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
  request: RenderRequest,
  { resolution }: { readonly resolution: Resolution | 'auto' },
): readonly string[] => {
  const { format, fps, ladder } = request
  const problems: string[] = []
  if (usesCaptions(request, 'sidecar')) problems.push('captions sidecar is not supported; captions track is')
  if (cloudFps(fps as number | string) === undefined)
    problems.push(`${fps} frames a second are not supported; whole numbers and the rates of television are`)
  if (ladder !== undefined && format !== 'hls') problems.push(`a ladder is for hls only; got ${format}`)
  if (resolution === '4k' && format !== 'mp4')
    problems.push(`resolution 4k is for mp4 only, since there is no alpha at 4k; got ${format}`)
  return problems
}

/** Converts a request to the hosted API's format, for an uploaded project. */
export const bodyOf = (request: RenderRequest, assetId: string, resolution: Resolution): CloudRenderInput => {
  const { entry, quality, fps, codec, poster, shapes, loudness, ladder, variables, strictVariables } = request
  const number = cloudFps(fps as number | string)
  const format = cloudFormats.find((name) => name === request.format)
  const captionUses = cloudCaptions.find((uses) => uses === request.captions)
  return {
    project: { type: 'asset_id', asset_id: assetId },
    ...(number !== undefined && { fps: number }),
    ...(format && { format }),
    quality,
    resolution,
    composition: entry,
    // Several shapes are as many requests.
    ...(shapes !== undefined && { shape: shapes }),
    ...(codec !== undefined && { codec }),
    ...(poster !== undefined && { poster }),
    ...(loudness !== undefined && { loudness }),
    ...(captionUses && { captions: captionUses }),
    ...(ladder !== undefined && { ladder }),
    variables,
    strict_variables: strictVariables,
  }
}
