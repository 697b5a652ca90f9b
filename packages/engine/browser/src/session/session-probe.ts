import type { CaptureSession, Probe } from '@vid/kernel'
import { framesIn } from '@vid/protocol'
import type { LaneKind } from '../driver/lane.ts'
import { applyEnvelopes, sampleVolumes } from '../media/volume-curves.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import { testCallbackRate } from './callback-rate.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'

/** Answers a probe from the opened page, with the gains of its sounds over time; warns of loops that count their calls. */
export const createProbe = (
  { probe, envelopes, volumesMove, callsAtOtherRate, isCostly }: CompositionPage,
  { fps, frames = 1 }: PagePlan,
  kind: Pick<LaneKind, 'frameControl'>,
  pages: Pick<SessionPages, 'openPlain' | 'inputs' | 'warn'>,
): CaptureSession['probe'] => {
  const open = pages.openPlain
  const probeAll = async (): Promise<Probe> => {
    const length = frames > 1 ? frames : Math.ceil(framesIn(probe.duration ?? 0, fps))
    const { media = [] } = probe
    // Without a length there is nothing to render either.
    if (!Number.isFinite(length)) return probe
    if (callsAtOtherRate)
      await testCallbackRate(pages, kind, { fps, isCostly, length: length || Number.POSITIVE_INFINITY })
    // A page whose scripts move volumes applies the attributes as well.
    if (volumesMove) return { ...probe, media: await sampleVolumes({ media, fps, frames: length, open }) }
    return { ...probe, media: applyEnvelopes({ media, envelopes, fps, frames: length }) }
  }
  let probing: Promise<Probe> | undefined
  return () => {
    probing ??= probeAll()
    return probing
  }
}
