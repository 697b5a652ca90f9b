import { definePlugin, Type, withDefault } from '@vid/kernel'
import { createRenderState } from './render-state.ts'
import { provideSegment } from './segment.ts'

const NAME = '@vid/segment-reuse'

/** Reuses finished segments of the configured store if a proof shows that rendering would give the same result. */
export const segmentReuse = definePlugin({
  name: NAME,
  options: Type.Object({
    /** Reads nothing from the store, but stores what is encoded. */
    fresh: withDefault(Type.Boolean(), false),
  }),
  setup(hooks, { options }) {
    const state = createRenderState()
    hooks.segment.tapPromise(NAME, async (task) => {
      const { openStore } = task
      return openStore && provideSegment({ ...task, openStore }, state, options.fresh)
    })
  },
})
