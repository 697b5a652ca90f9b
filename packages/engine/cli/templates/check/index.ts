import { defineCheck, Type, withDefault } from '@vid/kernel'

/** Finds text in another colour than those of a brand. */
export default defineCheck({
  name: '@vid/check-template',
  rule: 'template',
  level: 'warning',
  what: 'Text in a colour that is not one of the brand.',
  why: 'Colours that are nearly right look like a mistake beside the right ones.',
  hint: 'Use a colour of the brand, or add this one to the option colors.',
  options: Type.Object({
    colors: withDefault(Type.Array(Type.String({ pattern: '^#[0-9a-f]{6}$' })), ['#ffffff', '#111111']),
  }),
  // Facts are gathered once for all checks: a check reads them, changes nothing, and asks nothing else.
  *check({ contrasts, elements }, { colors }) {
    for (const { element, frames, box, color } of contrasts)
      if (!colors.includes(color))
        yield {
          frames,
          element,
          box,
          message: `"${elements[element]?.text}" is ${color}, which is no colour of the brand.`,
          figures: { color },
        }
  },
})
