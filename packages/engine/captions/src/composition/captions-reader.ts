import { definePlugin, frameRange, readHere } from '@vid/kernel'
import { secondsOf, usesCaptions } from '@vid/protocol'
import { fail } from '../errors.ts'
import { findTrackFiles } from './language-captions.ts'
import { plannedCaptionsTask } from './planned-captions.ts'

const NAME = '@vid/captions'

/** Puts the captions of a composition into its plan, as text tracks or as files beside the video, where either is requested. */
export const captionsReader = definePlugin({
  name: NAME,
  setup(hooks) {
    // After the composition reader, which sets the length of the plan.
    hooks.plan.tapPromise({ name: NAME, stage: -40 }, async (plan, context) => {
      const { request, sources, signal, probe, reading = readHere } = context
      const isTrack = usesCaptions(request, 'track')
      const isSidecar = usesCaptions(request, 'sidecar')
      if (!isTrack && !isSidecar) return plan
      const { entry } = request
      const { captions: uses = [] } = await probe(plan)
      if (uses.length === 0) throw fail('VID_CAPTIONS_NONE', { entry })
      const { start, length } = frameRange(plan, request)
      const part = { start: secondsOf(start, plan.fps), end: secondsOf(start + length, plan.fps) }
      const tracks = await findTrackFiles(uses, sources)
      return { ...plan, ...(await reading(plannedCaptionsTask, { entry, tracks, part, isTrack, isSidecar }, signal)) }
    })
  },
})
