import type { PluginOf } from '@vid/kernel'
import { type RenderRequest, usesCaptions } from '@vid/protocol'
import { fail } from '../errors.ts'

/** Refuses text tracks in formats that have none. */
export const checkCaptions = (
  request: Pick<Partial<RenderRequest>, 'captions'>,
  formats: readonly string[],
  encoders: readonly PluginOf<'encoder'>[],
): void => {
  if (!usesCaptions(request, 'track')) return
  const able = encoders.filter(({ textTracks }) => textTracks).flatMap((encoder) => encoder.formats)
  const unable = formats.filter((format) => !able.includes(format))
  if (unable.length > 0) throw fail('VID_CAPTIONS_UNCARRIED', { formats: unable, able })
}
