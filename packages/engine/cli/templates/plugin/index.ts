import { definePlugin, Type, withDefault } from '@vid/kernel'

/** Gives compositions a variable with the year. */
export default definePlugin({
  name: '@vid/plugin-template',
  options: Type.Object({
    /** Name of the variable. */
    variable: withDefault(Type.String(), 'year'),
  }),
  setup(hooks, { options }) {
    // A value from a flag or a file has precedence; the value goes into the plan, so that every machine draws the same.
    hooks.resolve.tap('@vid/plugin-template', (variables) => ({
      [options.variable]: new Date().getFullYear(),
      ...variables,
    }))
  },
})
