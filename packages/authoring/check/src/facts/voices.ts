import { join } from 'node:path'
import { measureVoice } from '@vid/analysis'
import { type CompositionMedia, type CompositionVoice, mixSound } from '@vid/kernel'
import type { OpenComposition } from '@vid/render'

/** Sounds that are mixed alone; of more, none is compared with another. */
const MAX_VOICES = 12

const SPEECH_NAME = /voice|speech|speak|narrat|dialog|talk|interview|(?:^|[-_/.])vo(?:[-_/.\d]|$)/i

/** Mixes each sound of a composition alone, as a render mixes it, and measures it. */
export const readVoices = async (
  { run, plan }: Pick<OpenComposition, 'run' | 'plan'>,
  media: readonly (CompositionMedia & { readonly id: string; readonly name: string })[],
): Promise<readonly CompositionVoice[]> => {
  if (plan.audio.length === 0 || plan.audio.length > MAX_VOICES) return []
  const { options: _, ...context } = run.context({ name: '@vid/check', options: {} })
  const voices: CompositionVoice[] = []
  for (const track of plan.audio) {
    const path = join(context.workDir, `voice-${track.id}`)
    const mixed = await mixSound(run.hooks, {}, { ...context, plan: { ...plan, audio: [track] }, path })
    if (!mixed) continue
    const end = Math.min(track.end, track.heardUntil ?? track.end, plan.duration)
    const { sounds, ...measured } = await measureVoice(mixed.file, end, run.signal)
    const position = media.findIndex(({ id }) => id === track.id)
    const name = `${media[position]?.name ?? ''} ${track.src}`
    voices.push({ media: position, isSpeech: SPEECH_NAME.test(name) || sounds === 'speech', ...measured })
  }
  return voices
}
