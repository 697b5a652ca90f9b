import { placeTrack, readTrack } from '@vid/captions'
import type { CompositionCaptions } from '@vid/kernel'
import type { CaptionsUse } from '@vid/protocol'
import type { OpenComposition } from '@vid/render'
import type { FollowedPage } from './follow-page.ts'

/** The captions of a track; none for a file that cannot be read, of which the page warns where it draws it. */
const readOne = async (
  { run, plan }: OpenComposition,
  use: CaptionsUse,
  element: number | null,
): Promise<readonly CompositionCaptions[]> => {
  const { sources } = run.context({ name: '@vid/check', options: {} })
  const captions = await readTrack(use, sources).catch(() => undefined)
  run.signal.throwIfAborted()
  if (!captions) return []
  const cues = placeTrack(captions, use, { start: 0, end: plan.duration })
  return [
    {
      language: use.language || captions.language || '',
      file: use.name,
      element,
      cues: cues.map(({ start, end, text }) => ({ start, end, text })),
    },
  ]
}

/** The captions of a composition, track by track. */
export const readCompositionCaptions = async (
  composition: OpenComposition,
  { outline, placed }: Pick<FollowedPage, 'outline' | 'placed'>,
): Promise<readonly CompositionCaptions[]> => {
  const elementOf = (name: string) => placed.sources.find(({ src }) => src.trim() === name)?.element ?? null
  return (await Promise.all(outline.captions.map((use) => readOne(composition, use, elementOf(use.name))))).flat()
}
