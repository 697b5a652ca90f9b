import { definePlugin, Type } from '@vid/kernel'

/** Gives every page the colour of its mark, whatever the flags say. */
export default definePlugin({
  name: '@acme/vid-watermark',
  options: Type.Object({ colour: Type.String({ pattern: '^#[0-9a-f]{6}$' }) }),
  setup(hooks, { options }) {
    hooks.plan.tap('@acme/vid-watermark', (plan) => ({
      ...plan,
      variables: { ...plan.variables, mark: options.colour },
    }))
  },
})
