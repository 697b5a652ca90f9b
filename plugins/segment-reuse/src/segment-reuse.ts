import { definePlugin, Type, withDefault } from '@vid/kernel'
import { createRenderState } from './render-state.ts'
import { provideSegment } from './segment.ts'

const NAME = '@vid/segment-reuse'

/** Takes finished segments from the configured store wherever a proof says that they would be the same. */
export const segmentReuse = definePlugin({
  name: NAME,
  options: Type.Object({
    /** Looks nothing up, but keeps what is encoded. */
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
