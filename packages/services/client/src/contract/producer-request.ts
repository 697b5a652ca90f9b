import {
  type DeepReadonly,
  isTimes,
  type RequestSetting,
  requestSettings,
  type SettingName,
  type Static,
  TIMES_RULE,
  type TOptional,
  type TSchema,
  Type,
} from '@vid/protocol'

/**
 * Settings of a render request that name files of one machine, which the render server spells in its own way, and what
 * only its operator decides.
 */
const ownSpelling = ['projectDir', 'entry', 'output', 'outputs', 'force', 'browserGpu'] as const

type SharedSetting = Exclude<SettingName, (typeof ownSpelling)[number]>

const isShared = (name: string): name is SharedSetting => !(ownSpelling as readonly string[]).includes(name)

/** A setting without its default, which the config of the server may replace. */
const withoutDefault = ({ schema, about }: RequestSetting): TSchema =>
  Type.Optional(Type.With(schema, { description: about, default: undefined }) as unknown as TSchema)

type Optionals<K extends SettingName> = { [N in K]: TOptional<(typeof requestSettings)[N]['schema']> }

const optionals = <K extends SettingName>(names: readonly K[]): Optionals<K> =>
  Object.fromEntries(names.map((name) => [name, withoutDefault(requestSettings[name])])) as Optionals<K>

/** Settings that the body of a render spells like `vid render`. */
export const producerRenderSettings = (Object.keys(requestSettings) as SettingName[]).filter(isShared)

/** Settings that the body of a request for stills spells like `vid snapshot`. */
export const producerStillSettings = [
  'fps',
  'scale',
  'resolution',
  'strictVariables',
  'variables',
  'network',
] as const satisfies readonly SharedSetting[]

/** SHA-256 in hexadecimal. */
export const Sha256Schema = Type.String({ pattern: '^[0-9a-f]{64}$' })

const text = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ description, minLength: 1, maxLength }))

const source = {
  projectDir: text('folder of the composition, inside the root of the server', 4000),
  html: Type.Optional(Type.String({ description: 'the text of the entry file', minLength: 1 })),
  project: Type.Optional(
    Type.With(Sha256Schema, { description: 'digest of a project that was uploaded to /projects before' }),
  ),
  entryFile: text('entry file of the project, index.html if left out', 1000),
}

const preset = text('name of a preset of the config of the server', 100)

/**
 * Body of `POST /render`. One of `projectDir`, `html` and `project` names the composition, unless the body comes with a
 * zip of the project; the others are the settings of `vid render`, with the same defaults.
 */
export const ProducerRenderSchema = Type.With(
  Type.Object({
    ...source,
    outputPath: text(
      'where the server puts the result, inside its folder for outputs; a temporary place if left out',
      4000,
    ),
    preset,
    ...optionals(producerRenderSettings),
    fresh: Type.Optional(Type.Boolean({ description: 'make every segment anew, instead of reusing finished ones' })),
    timeoutMs: Type.Optional(
      Type.Integer({
        description: 'longest time for the render, without its waiting; at most the limit of the server',
        minimum: 1,
        maximum: 7 * 24 * 3600 * 1000,
      }),
    ),
  }),
  { additionalProperties: false },
)

/** What a render server is asked to render. */
export type ProducerRender = DeepReadonly<Static<typeof ProducerRenderSchema>>

/** Body of `POST /snapshot`. */
export const ProducerSnapshotSchema = Type.With(
  Type.Object({
    ...source,
    preset,
    ...optionals(producerStillSettings),
    at: Type.Optional(
      Type.Refine(
        Type.String({ description: TIMES_RULE, minLength: 1, maxLength: 2000 }),
        isTimes,
        () => `must be ${TIMES_RULE}`,
      ),
    ),
    count: Type.Optional(
      Type.Integer({
        description: 'how many, spread evenly over the length; 5 if neither this nor at is set',
        minimum: 1,
        maximum: 1000,
      }),
    ),
    alpha: Type.Optional(Type.Boolean({ description: 'makes what is not drawn transparent' })),
    timeoutMs: ProducerRenderSchema.properties.timeoutMs,
  }),
  { additionalProperties: false },
)

/** A request for stills to a render server. */
export type ProducerSnapshot = DeepReadonly<Static<typeof ProducerSnapshotSchema>>

/** Body of `POST /lint`. */
export const ProducerLintSchema = Type.With(Type.Object({ ...source, preset, ...optionals(['format']) }), {
  additionalProperties: false,
})

/** Which composition a render server is asked to check. */
export type ProducerLint = DeepReadonly<Static<typeof ProducerLintSchema>>

/** What names the composition in the body of a request. */
export type ProducerSource = Pick<ProducerRender, 'projectDir' | 'html' | 'project' | 'entryFile'>
