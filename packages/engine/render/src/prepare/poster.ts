import type { PluginOf } from '@vid/kernel'
import { failRender } from '@vid/protocol'
import type { Output } from '../outputs/choose-outputs.ts'
import { checkPosterPaths, type PlaceRules } from '../outputs/place.ts'

type Encoder = PluginOf<'encoder'>

const ableFormats = (encoders: readonly Encoder[]) =>
  encoders.filter(({ still }) => still).flatMap(({ formats }) => formats)

/**
 * The index of the capture that makes the poster, which is that of the first format that can have one; -1 for none,
 * which is refused if this render asks for a poster, and not if only the config does.
 */
export const choosePosterGroup = (
  poster: string | undefined,
  groups: readonly (readonly string[])[],
  encoders: readonly Encoder[],
): number => {
  const able = ableFormats(encoders)
  const index = groups.findIndex((formats) => formats.some((format) => able.includes(format)))
  if (poster !== undefined && index === -1) throw failRender('VID_POSTER_FORMAT', { formats: groups.flat(), able })
  return index
}

/** Refuses a place beside the outputs where no poster can be, or where it would destroy something. */
export const checkPosterPlace = async (
  outputs: readonly Output[],
  encoders: readonly Encoder[],
  rules: Omit<PlaceRules, 'format' | 'extension'>,
): Promise<void> => {
  const able = ableFormats(encoders.filter(({ extension }) => extension !== ''))
  const output = outputs.find(({ format }) => able.includes(format))
  if (!output) return
  await checkPosterPaths(output.path, rules)
}
