import { type EventSchemas, eventSchemas } from '@vid/protocol'

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
  readonly additionalProperties?: boolean
}

/** How many items of each list are left out of an answer. */
const MORE = { type: 'object', additionalProperties: { type: 'integer' } }

/** The schema of what a tool answers: the event of its command, one of vid or of those that its package has `added`, with the number of items that are left. */
export const outputSchemaOf = (event: string, added: EventSchemas = []): ObjectSchema | undefined => {
  const all: EventSchemas = [...eventSchemas, ...added]
  const schema = all.find(({ properties }) => properties.type.const === event)
  if (!schema) return undefined
  // What JSON cannot carry stays behind.
  const { properties, required = [] } = JSON.parse(JSON.stringify(schema)) as Partial<ObjectSchema>
  return { type: 'object', properties: { ...properties, more: MORE }, required: [...required, 'more'] }
}

/** What a field is, without what is in it. */
const shortField = (schema: object): object => {
  if ('type' in schema) return { type: schema.type }
  return {}
}

/** The same with the kinds of its fields alone, for readers with little room; the name of the event tells them nothing. */
export const shortOutputSchema = ({ properties }: ObjectSchema) => {
  const { type: _, ...fields } = properties
  return {
    type: 'object' as const,
    properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, shortField(schema)])),
  }
}
