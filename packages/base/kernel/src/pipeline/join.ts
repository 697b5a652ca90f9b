import { join as joinPath } from 'node:path'
import { failRender, type RenderPlan } from '@vid/protocol'
import type { OpenRender } from '../contracts/kernel-types.ts'
import type { Artifact, EncodedFile, EncoderDefinition } from '../contracts/roles.ts'
import { outputPlans } from '../plan/draft-plan.ts'
import { artifactBytes } from '../results/artifact.ts'
import { addPoster } from '../results/poster.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import type { Pages } from './pages/pages.ts'
import type { PlanCheck } from './plan-check.ts'
import type { Publisher } from './publish.ts'
import type { Scope } from './scope.ts'
import type { Sounds } from './shared-sound.ts'
import type { StoreLease } from './store-lease.ts'

/** Creates the function that joins segments into the artifact of each output and verifies it. */
export const createJoin = (
  scope: Scope,
  pages: Pages,
  sounds: Sounds,
  { accept, encoderOf }: PlanCheck,
  store: StoreLease,
  publisher: Publisher | undefined,
): OpenRender['join'] => {
  const { hooks, context, report, samples, workDir, signal } = scope
  const frameOf = async (plan: RenderPlan, index: number, { accepts }: Pick<EncoderDefinition<never>, 'accepts'>) => {
    const range = { index: 0, start: index, frames: 1 }
    for await (const only of pages.frames(plan, range, { accepts, signal })) return only
    throw failRender('VID_HOOK_UNANSWERED', { hook: 'capture', wanted: `frame ${index}` })
  }
  return async (untrusted, segments, audio) => {
    signal.throwIfAborted()
    const plan = accept(untrusted)
    // Other renders may use the browser while this one is joined.
    await Promise.all([pages.release(), store.close()])
    report('join', plan.frames, plan.frames)
    await publisher?.end()
    signal.throwIfAborted()
    const artifacts: Artifact[] = []
    let sound = audio ?? (await publisher?.sound())
    let { poster } = plan
    for (const [index, outputPlan] of outputPlans(plan).entries()) {
      const encoder = encoderOf(outputPlan, 'join')
      const { name, extension = `.${outputPlan.format}` } = encoder
      const files = index === 0 ? segments : segments.map(({ more }) => more?.[index - 1] as EncodedFile)
      const output = { plan: outputPlan, path: joinPath(workDir, `video${index || ''}${extension}`) }
      const mixing = { ...context({ name, options: {} }), plan: outputPlan, path: joinPath(workDir, 'sound') }
      const mixed = sound && encoder.audio !== false ? sound : await sounds.mix(encoder, mixing)
      sound ??= mixed
      const job = { segments: files, audio: mixed && { file: mixed.file }, output }
      const artifact = await ask('join', name, hooks.join.promise(job))
      await artifactBytes(name, 'join', artifact.path)
      await hooks.verify.promise({
        plan: outputPlan,
        artifact,
        sound: mixed !== undefined,
        samples: samples.of(plan),
        frame: (frame) => frameOf(plan, frame, encoder),
      })
      artifacts.push(poster && encoder.still ? await addPoster(scope, encoder, artifact, outputPlan) : artifact)
      // The first output that can have a poster has it.
      if (encoder.still) poster = undefined
    }
    const [first, ...more] = artifacts as [Artifact, ...Artifact[]]
    return more.length > 0 ? { ...first, more } : first
  }
}
