import { type CloudRenderInput, cloudFps, cloudSurface } from '@vid/client/contract'
import type { RenderRequest } from '@vid/kernel'

/** Resolutions by the hosted API's names, which set the shorter side. */
export type Resolution = NonNullable<CloudRenderInput['resolution']>

/** Describes combinations in a request that the hosted API does not support. */
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

/** Converts a request to the hosted API's format, for an uploaded project; several shapes are as many requests. */
export const cloudBodyOf = (request: RenderRequest, assetId: string, resolution: Resolution): CloudRenderInput => ({
  project: { type: 'asset_id', asset_id: assetId },
  ...cloudSurface.write(request),
  resolution,
})
