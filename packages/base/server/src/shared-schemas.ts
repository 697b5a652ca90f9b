import type { TSchema } from '@vid/protocol'

type Json = unknown
type Node = Readonly<Record<string, Json>>

const isNode = (value: Json): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapNode = (node: Node, map: (value: Json) => Json): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(value)]))

/** The only value that a schema allows; undefined if it allows others. */
const onlyValue = (schema: Json): Json => {
  if (!isNode(schema)) return undefined
  if ('const' in schema) return schema.const
  return Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined
}

/** Simplifies a schema for code generators: a union of constants becomes one enum. */
const plainSchema = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(plainSchema)
  if (!isNode(value)) return value
  const { anyOf, const: only, patternProperties, ...rest } = value
  const values = Array.isArray(anyOf) ? anyOf.map(onlyValue) : []
  if (values.length > 0 && values.every((value) => typeof value === 'string'))
    return { ...mapNode(rest, plainSchema), type: 'string', enum: values }
  return {
    ...mapNode(rest, plainSchema),
    ...(anyOf !== undefined && { anyOf: plainSchema(anyOf) }),
    ...(only !== undefined && { enum: [only] }),
    // As the library that describes routes writes it.
    ...(isNode(patternProperties) && {
      additionalProperties: plainSchema(Object.values(patternProperties)[0]),
    }),
  }
}

/** A key that is equal for schemas that differ only in the order of their keys. */
const keyOf = (schema: Json): string =>
  JSON.stringify(schema, (_, value: Json) =>
    isNode(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )

/** Moves named schemas of an OpenAPI document to its components, with a reference wherever they occur. */
export const shareSchemas = (document: Node, namedSchemas: Readonly<Record<string, TSchema>>): Node => {
  const schemas = new Map(Object.entries(namedSchemas).map(([name, schema]) => [name, plainSchema({ ...schema })]))
  const names = new Map([...schemas].map(([name, schema]) => [keyOf(schema), name]))
  const refer = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(refer)
    if (!isNode(value)) return value
    const name = names.get(keyOf(value))
    return name === undefined ? mapNode(value, refer) : { $ref: `#/components/schemas/${name}` }
  }
  const inside = (schema: Json): Json => (isNode(schema) ? mapNode(schema, refer) : schema)
  const shared = Object.fromEntries([...schemas].map(([name, schema]) => [name, inside(schema)]))
  const { components, ...rest } = plainSchema(document) as Node
  const { schemas: otherSchemas, ...otherComponents } = isNode(components) ? components : {}
  const ownComponents = isNode(otherSchemas) ? mapNode(otherSchemas, inside) : {}
  return { ...(refer(rest) as Node), components: { ...otherComponents, schemas: { ...ownComponents, ...shared } } }
}

/** Gives each HEAD operation its own id, and no content. */
export const headOperations = (document: Node): Node => {
  const paths = isNode(document.paths) ? document.paths : {}
  const withoutContent = (response: Json) => {
    if (!isNode(response)) return response
    const { content: _content, ...rest } = response
    return rest
  }
  const fix = (path: Json): Json => {
    if (!isNode(path) || !isNode(path.head)) return path
    const { head, get } = path
    const id = String(head.operationId)
    const isTaken = isNode(get) && get.operationId === id
    const responses = isNode(head.responses) ? mapNode(head.responses, withoutContent) : {}
    return { ...path, head: { ...head, ...(isTaken && { operationId: `${id}Head` }), responses } }
  }
  return { ...document, paths: mapNode(paths, fix) }
}

/** Names the rest of a path `path`, because OpenAPI templates cannot express an asterisk. */
export const namedWildcards = (document: Node): Node => {
  const rename = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rename)
    if (!isNode(value)) return value
    return value.in === 'path' && value.name === '*' ? { ...value, name: 'path' } : mapNode(value, rename)
  }
  const paths = isNode(document.paths) ? document.paths : {}
  const renamed = Object.entries(paths).map(([path, item]) => [path.replace('{*}', '{path}'), rename(item)])
  return { ...document, paths: Object.fromEntries(renamed) }
}
