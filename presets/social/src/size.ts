import { definePlugin, Type } from '@vid/kernel'

const NAME = '@vid/preset-social'
const Side = Type.Integer({ minimum: 2, maximum: 8192 })

/** Lays the composition out at another size than the one it declares; what is measured in pixels keeps its size. */
export const size = definePlugin({
  name: NAME,
  options: Type.Object({ width: Side, height: Side }),
  setup(hooks, { options: { width, height } }) {
    hooks.plan.tap(NAME, (plan, { warn }) => {
      const isOtherShape = plan.width * height !== plan.height * width
      if (isOtherShape)
        warn({
          code: 'VID_SIZE_CHANGED',
          message: `the composition of ${plan.width} x ${plan.height} is laid out at ${width} x ${height}`,
          hint: 'what it places in pixels stays there: use %, vw, vh or container units, or a composition of that size',
          plugin: NAME,
        })
      return { ...plan, width, height }
    })
  },
})
