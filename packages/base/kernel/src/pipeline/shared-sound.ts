import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inTempFolder, scratchName } from '@vid/system'
import type { MixJob } from '../contracts/hooks.ts'
import type { EncodedFile, EncoderDefinition, PluginWarning } from '../contracts/roles.ts'
import type { Lease, Shareable } from '../contracts/shared-pool.ts'
import { canonicalJson } from '../plan/plan-identity.ts'
import { type Scope, WORK_PREFIX } from './scope.ts'
import { mixSound } from './sound.ts'

/** A mixed sound in a scratch folder of its own, and what was warned of while it was mixed. */
interface SharedSound extends Shareable {
  readonly audio: EncodedFile | undefined
  readonly warnings: readonly PluginWarning[]
}

/** The sounds of one render, some of which other renders use too. */
export interface Sounds {
  mix(encoder: Pick<EncoderDefinition<never>, 'audio'>, job: MixJob): Promise<EncodedFile | undefined>
  /** Waits for mixes that were aborted, and returns what is shared; its files may be gone afterwards. */
  close(): Promise<void>
}

/** Equal for plans that differ at most in how their pages are laid out and drawn, which no mix depends on. */
const soundKey = ({ plan, projectDir }: MixJob): string => {
  const { composition, width: _width, height: _height, scale: _scale, segments: _segments, capture: _c, ...rest } = plan
  const { entry, id } = composition
  return createHash('sha256')
    .update(canonicalJson([projectDir, entry, id, rest]))
    .digest('hex')
}

/** Creates the mixing of one render. */
export const createSounds = ({ hooks, sounds, signal }: Scope): Sounds => {
  const leases: Lease<SharedSound>[] = []
  const open = async (
    encoder: Pick<EncoderDefinition<never>, 'audio'>,
    job: MixJob,
    stop: AbortSignal,
  ): Promise<SharedSound> => {
    const folder = resolve(tmpdir(), scratchName(WORK_PREFIX))
    await inTempFolder(() => mkdir(folder, { mode: 0o700 }))
    const close = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
    const warnings: PluginWarning[] = []
    try {
      const audio = await mixSound(hooks, encoder, {
        ...job,
        path: join(folder, 'sound'),
        signal: AbortSignal.any([stop, job.signal]),
        warn: (warning) => warnings.push(warning),
      })
      return { audio, warnings, close }
    } catch (thrown) {
      await close()
      throw thrown
    }
  }
  const mix: Sounds['mix'] = async (encoder, job) => {
    if (!sounds || job.plan.audio.length === 0 || encoder.audio === false) return mixSound(hooks, encoder, job)
    const acquiring = sounds.acquire(soundKey(job), (stop) => open(encoder, job, stop))
    // Another render may have begun the mix, and may have been stopped.
    const lease = await acquiring.catch(() => undefined)
    signal.throwIfAborted()
    if (!lease) return mixSound(hooks, encoder, job)
    leases.push(lease)
    for (const warning of lease.value.warnings) job.warn(warning)
    return lease.value.audio
  }
  const mixes: Promise<unknown>[] = []
  return {
    mix(encoder, job) {
      const mixing = mix(encoder, job)
      mixes.push(mixing)
      return mixing
    },
    async close() {
      await Promise.allSettled(mixes)
      for (const lease of leases.splice(0)) lease.release()
    },
  }
}
