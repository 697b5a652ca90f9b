import { definePlugin, Type, withDefault } from '@vid/kernel'

/** Gives compositions a variable with the year. */
export default definePlugin({
  name: '@vid/plugin-template',
  options: Type.Object({
    /** Name of the variable. */
    variable: withDefault(Type.String(), 'year'),
  }),
  setup(hooks, { options }) {
    // What is given by a flag or a file stands; the value goes into the plan, so that any machine draws the same.
    hooks.resolve.tap('@vid/plugin-template', (variables) => ({
      [options.variable]: new Date().getFullYear(),
      ...variables,
    }))
  },
})
