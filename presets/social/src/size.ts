import { definePlugin, Type } from '@vid/kernel'
import { socialWarning } from './warnings.ts'

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
          ...socialWarning('VID_SIZE_CHANGED', {
            declared: `${plan.width} x ${plan.height}`,
            size: `${width} x ${height}`,
          }),
          plugin: NAME,
        })
      return { ...plan, width, height }
    })
  },
})
