type Shape = { readonly writeOnly?: boolean; readonly properties?: Readonly<Record<string, unknown>> }

/** Options with everything that the schema marks as secret (`writeOnly`) replaced. */
export const redact = (options: unknown, schema: unknown): Record<string, unknown> => {
  const { properties = {} } = (schema ?? {}) as Shape
  return Object.fromEntries(
    Object.entries((options ?? {}) as object).map(([key, value]) => {
      const shape = (properties[key] ?? {}) as Shape
      if (shape.writeOnly) return [key, '(secret)']
      return [key, shape.properties ? redact(value, shape) : value]
    }),
  )
}
