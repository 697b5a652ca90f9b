import { failRender, kernelWarning } from '@vid/protocol'
import type { KernelHooks, MixJob } from '../contracts/hooks.ts'
import type { EncodedFile, EncoderDefinition } from '../contracts/roles.ts'

/** Asks the mix hook for the sound of a plan that has any; a format without sound warns instead. */
export const mixSound = async (
  hooks: Pick<KernelHooks, 'mix'>,
  encoder: Pick<EncoderDefinition<never>, 'audio'>,
  job: MixJob,
): Promise<EncodedFile | undefined> => {
  const { audio, format } = job.plan
  if (audio.length === 0) return undefined
  if (encoder.audio === false) {
    job.warn(kernelWarning('VID_AUDIO_DROPPED', { format }))
    return undefined
  }
  const mixed = await hooks.mix.promise(job)
  if (!mixed) throw failRender('VID_HOOK_UNANSWERED', { hook: 'mix', wanted: 'the sound of the plan' })
  return mixed.file === null ? undefined : { file: mixed.file }
}
