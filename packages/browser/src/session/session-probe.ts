import { type CaptureSession, framesIn, type Probe } from '@vid/kernel'
import { sampleVolumes } from '../media/volume-curves.ts'
import type { CompositionPage } from '../page/composition-page.ts'
import type { PagePlan } from './session-options.ts'
import type { SessionPages } from './session-pages.ts'

/** Answers a probe from the opened page, and samples its volumes if scripts change them. */
export const createProbe = (
  { probe, volumesMove }: CompositionPage,
  { fps, frames = 1 }: PagePlan,
  open: SessionPages['openPlain'],
): CaptureSession['probe'] => {
  const probeVolumes = async (): Promise<Probe> => {
    const length = frames > 1 ? frames : Math.ceil(framesIn(probe.duration ?? 0, fps))
    // Without a length there is nothing to render either.
    if (!volumesMove || !Number.isFinite(length)) return probe
    const media = await sampleVolumes({ media: probe.media ?? [], fps, frames: length, open })
    return { ...probe, media }
  }
  let probing: Promise<Probe> | undefined
  return () => {
    probing ??= probeVolumes()
    return probing
  }
}
