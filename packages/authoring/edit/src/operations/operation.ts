import { type Static, type TObject, Type } from '@vid/protocol'

const Seconds = Type.Number({ minimum: -86_400, maximum: 86_400 })
const Time = Type.Number({ minimum: 0, maximum: 86_400 })
const Digest = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'of the file that the place is about; without it, as it is now',
  }),
)
const File = Type.String({ minLength: 1, maxLength: 1024 })
const Id = Type.String({ pattern: '^\\S+$', maxLength: 200 })

/** Where an element is: its DOM id, perhaps with its file, or a place in a file: in one version of it, or as it is now. */
export const TargetSchema = Type.Union([
  Type.String({ pattern: '^[^#]*#\\S+$', description: '#id, or file.html#id' }),
  Type.Object({ file: File, path: Type.String({ minLength: 1 }), digest: Digest }, { additionalProperties: false }),
  Type.Object({ file: File, line: Type.Integer({ minimum: 1 }), digest: Digest }, { additionalProperties: false }),
])
export type Target = Static<typeof TargetSchema>

const exact = { additionalProperties: false }
const target = { target: TargetSchema }
const shift = { by: Type.Optional(Seconds), to: Type.Optional(Time) }
const edge = Type.Union([Type.Literal('start'), Type.Literal('end')])
const Order = Type.Union([
  Type.Literal('front'),
  Type.Literal('back'),
  Type.Literal('forward'),
  Type.Literal('backward'),
])
const Nullable = Type.Union([Type.String(), Type.Null()])
const Side = Type.Integer({ minimum: 1, maximum: 16_384 })
const Path = Type.String({ minLength: 1, maxLength: 4096, description: 'path of a file to copy' })
const Text = Type.String({ maxLength: 100_000 })
const Track = Type.Integer({ minimum: -1000, maximum: 1000 })
const Kind = Type.Union([
  Type.Literal('video'),
  Type.Literal('audio'),
  Type.Literal('image'),
  Type.Literal('composition'),
])
const Position = Type.Union([
  Type.Literal('first'),
  Type.Literal('last'),
  Type.Literal('before'),
  Type.Literal('after'),
])

/** Every operation by its name. Times are seconds of the composition that the element stands in. */
export const operationSchemas = {
  move: Type.Object({ op: Type.Literal('move'), ...target, ...shift }, exact),
  trim: Type.Object({ op: Type.Literal('trim'), ...target, edge, ...shift }, exact),
  split: Type.Object({ op: Type.Literal('split'), ...target, at: Time, id: Type.Optional(Id) }, exact),
  duplicate: Type.Object(
    { op: Type.Literal('duplicate'), ...target, at: Type.Optional(Time), id: Type.Optional(Id) },
    exact,
  ),
  remove: Type.Object({ op: Type.Literal('remove'), ...target }, exact),
  insert: Type.Object(
    {
      op: Type.Literal('insert'),
      target: Type.Optional(TargetSchema),
      place: Type.Optional(Position),
      file: Type.Optional(File),
      import: Type.Optional(Path),
      text: Type.Optional(Text),
      kind: Type.Optional(Kind),
      start: Time,
      duration: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 86_400 })),
      track: Type.Optional(Track),
      id: Type.Optional(Id),
    },
    exact,
  ),
  order: Type.Object({ op: Type.Literal('order'), ...target, to: Order }, exact),
  track: Type.Object({ op: Type.Literal('track'), ...target, track: Track }, exact),
  text: Type.Object({ op: Type.Literal('text'), ...target, text: Text }, exact),
  set: Type.Object(
    {
      op: Type.Literal('set'),
      ...target,
      name: Type.String({ pattern: '^[^\\s"\'<>/=\\u0000-\\u001f\\u007f]+$', maxLength: 200 }),
      value: Nullable,
    },
    exact,
  ),
  style: Type.Object(
    {
      op: Type.Literal('style'),
      ...target,
      property: Type.String({ pattern: '^(--[^\\s:;{}"\'<>]+|-?[a-z][a-z-]*)$', maxLength: 200 }),
      value: Nullable,
    },
    exact,
  ),
  media: Type.Object(
    {
      op: Type.Literal('media'),
      ...target,
      src: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      import: Type.Optional(Path),
    },
    exact,
  ),
  volume: Type.Object(
    { op: Type.Literal('volume'), ...target, volume: Type.Number({ minimum: 0, maximum: 3.98 }) },
    exact,
  ),
  fade: Type.Object({ op: Type.Literal('fade'), ...target, in: Type.Optional(Time), out: Type.Optional(Time) }, exact),
  variable: Type.Object(
    {
      op: Type.Literal('variable'),
      id: Type.String({ minLength: 1, maxLength: 200 }),
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      file: Type.Optional(File),
    },
    exact,
  ),
  size: Type.Object({ op: Type.Literal('size'), width: Side, height: Side, file: Type.Optional(File) }, exact),
} as const

type Schemas = typeof operationSchemas

/** The name of an operation. */
export type OperationName = keyof Schemas

/** The operation of a name. */
export type OperationOf<N extends OperationName> = Static<Schemas[N]>

/** One change of a composition, as data. */
export type Operation = { [N in OperationName]: OperationOf<N> }[OperationName]

/** The JSON Schema of an operation. */
export const OperationSchema = Type.Union(Object.values(operationSchemas))

type FieldsOf = Pick<TObject, 'properties'> & { readonly required?: readonly string[] }

/** The fields of an operation in words, such as `trim(target, edge, by?, to?)`. */
const signatureOf = (name: string, { properties, required = [] }: FieldsOf): string => {
  const fields = Object.keys(properties).filter((field) => field !== 'op')
  return `${name}(${fields.map((field) => (required.includes(field) ? field : `${field}?`)).join(', ')})`
}

const signatures = Object.entries<FieldsOf>(operationSchemas).map(([name, schema]) => signatureOf(name, schema))

/** Operations for readers with little room: their fields are named, and checked when the operations are made. */
export const ShortOperationsSchema = Type.Array(
  Type.Object({ op: Type.Unsafe<OperationName>({ enum: Object.keys(operationSchemas) }) }),
  {
    minItems: 1,
    maxItems: 200,
    description: [
      `Fields of each "op": ${signatures.join('; ')}.`,
      'target: #id, file.html#id, or the target of a finding, a comment or a selection.',
      'at, start, duration, in, out: seconds; by: seconds to add, to: the new time; edge: start or end.',
      'order to: front, back, forward, backward; insert place: first, last, before, after;',
      'insert kind: video, audio, image, composition; value: text, or null to remove; import: path of a file to copy.',
    ].join(' '),
  },
)
