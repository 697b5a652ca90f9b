import type { RenderRequest } from './request.ts'
import { type Static, type TSchema, Type } from './schema.ts'
import { type RequestSetting, requestSettings, type SettingName, type SettingScope } from './settings.ts'

/** A name in camel case with its words separated by `-` or `_`: `videoBitrate` is `video-bitrate`. */
export type Separated<Name extends string, By extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `${By}${Lowercase<Letter>}`}${Separated<Rest, By>}`
  : Name

/** A name in camel case with its words separated by `-` or `_`. */
export const separated = <const Name extends string, const By extends '-' | '_'>(name: Name, by: By) =>
  name.replace(/[A-Z]/g, (letter) => `${by}${letter.toLowerCase()}`) as Separated<Name, By>

/** A setting that a surface has in a form of its own. */
export interface DifferentSetting {
  /** Its name there, instead of its own in the spelling of the surface. */
  readonly as?: string
  /** Its schema there, narrower than that of the request. */
  readonly schema?: TSchema
  /** What it does there, instead of what the table says. */
  readonly about?: string
  /** The rule for its text there. */
  readonly rule?: string
  /** The only values that it has there; others are not written. */
  readonly values?: readonly unknown[]
  /** Its value there, undefined for none. */
  readonly write?: (value: unknown) => unknown
}

/**
 * How a surface treats one setting: refused, with what to do instead; set by fields of the surface's own, with their
 * names; not sent, whereas a request may have these values, which change nothing there; or sent in another form.
 */
export type SettingRow =
  | { readonly refused: string }
  | { readonly own: string }
  | { readonly unsent: true | readonly unknown[] }
  | DifferentSetting

/** What a surface says of settings that it does not simply take; a row for each. */
export type SettingRows = { readonly [K in SettingName]?: SettingRow }

type Table = typeof requestSettings
/** Settings that every surface takes unless a row says otherwise: all but those of the machine and of places on it. */
type Travelling = {
  [K in SettingName]: Table[K]['scope'] extends 'machine' | 'place' ? never : K
}[SettingName]
type Elsewhere = { readonly refused: string } | { readonly own: string } | { readonly unsent: unknown }
type RowOf<R, K> = K extends keyof R ? R[K] : object

/** Settings that are fields of a surface. */
export type SurfaceSetting<R extends SettingRows> = {
  [K in Travelling]: RowOf<R, K> extends Elsewhere ? never : K
}[Travelling]

/** How a surface writes names of several words: like the request, or as JSON APIs often do. */
export type SurfaceSpelling = 'camelCase' | 'snake_case'

type FieldName<R, S extends SurfaceSpelling, K extends string> =
  RowOf<R, K> extends { readonly as: infer N extends string } ? N : S extends 'snake_case' ? Separated<K, '_'> : K
type FieldSchema<R, K extends SettingName> =
  RowOf<R, K> extends { readonly schema: infer T extends TSchema } ? T : Table[K]['schema']
type Fields<R extends SettingRows, S extends SurfaceSpelling> = {
  [K in SurfaceSetting<R> as FieldName<R, S, K>]: FieldSchema<R, K>
}

/** What a surface takes of a setting: everything, certain values, or nothing, with the reason. */
export type TakenSetting = true | readonly unknown[] | string

/** What a surface makes of the settings of a render request. */
export interface Surface<R extends SettingRows = SettingRows, S extends SurfaceSpelling = SurfaceSpelling> {
  /** Settings that are fields of it, in the order of the table. */
  readonly settings: readonly SurfaceSetting<R>[]
  /** Schemas of these fields, by their names there. */
  readonly fields: Fields<R, S>
  /** What it takes of a request; nothing of settings without an entry. */
  readonly takes: { readonly [K in SettingName]?: TakenSetting }
  /** Why it has no field of a setting, and what to do instead. */
  readonly missing: Readonly<Record<string, string>>
  /** What it says of a setting. */
  row(name: SettingName): DifferentSetting
  /** The fields of what is set. */
  write(settings: Partial<RenderRequest>): Partial<Static<ReturnType<typeof Type.Object<Fields<R, S>>>>>
  /** The settings of what its fields say. */
  read(fields: object): Partial<Pick<RenderRequest, SurfaceSetting<R>>>
}

const TRAVELLING: ReadonlySet<SettingScope> = new Set(['source', 'picture', 'sound', 'file'])

/** A setting of the table, and what the surface makes of it. */
interface Fact {
  readonly name: SettingName
  readonly setting: RequestSetting
  readonly row: SettingRow
  readonly isField: boolean
  /** Its name there. */
  readonly field: string
  readonly different: DifferentSetting
}

const isElsewhere = (row: SettingRow): row is Exclude<SettingRow, DifferentSetting> =>
  'refused' in row || 'own' in row || 'unsent' in row

const takenOf = ({ row, isField, different }: Fact): TakenSetting | undefined => {
  if ('refused' in row) return row.refused
  if ('unsent' in row) return row.unsent
  return isField || 'own' in row ? (different.values ?? true) : undefined
}

const missingOf = (row: SettingRow): string | undefined => {
  if ('refused' in row) return row.refused
  return 'own' in row ? row.own : undefined
}

const writtenOf = (value: unknown, { values, write }: DifferentSetting): unknown => {
  if (value === undefined || (values && !values.includes(value))) return undefined
  return write ? write(value) : value
}

const withValues = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

/** The schema of a field: that of the setting, unless a row has another one. */
const schemaOf = ({ schema, about }: RequestSetting, row: DifferentSetting): TSchema =>
  Type.With(row.schema ?? schema, { description: row.about ?? about }) as unknown as TSchema

/** Defines a surface from its differences; every other setting is a field of it as the table of settings has it. */
export const defineSurface = <const R extends SettingRows, const S extends SurfaceSpelling = 'camelCase'>(
  rows: R,
  spelling?: S,
  table: Readonly<Record<string, RequestSetting>> = requestSettings,
): Surface<R, S> => {
  const facts = Object.entries(table).map(([name, setting]): Fact => {
    const row: SettingRow = rows[name as SettingName] ?? {}
    const isField = TRAVELLING.has(setting.scope) && !isElsewhere(row)
    const different: DifferentSetting = isElsewhere(row) ? {} : row
    const field = different.as ?? (spelling === 'snake_case' ? separated(name, '_') : name)
    return { name: name as SettingName, setting, row, isField, field, different }
  })
  const sent = facts.filter(({ isField }) => isField)
  return {
    settings: sent.map(({ name }) => name),
    fields: Object.fromEntries(sent.map(({ field, setting, different }) => [field, schemaOf(setting, different)])),
    takes: withValues(facts.map((fact) => [fact.name, takenOf(fact)])),
    missing: withValues(facts.map(({ name, row }) => [name, missingOf(row)])),
    row: (name: SettingName) => sent.find((fact) => fact.name === name)?.different ?? {},
    write: (settings: Partial<RenderRequest>) =>
      withValues(sent.map(({ name, field, different }) => [field, writtenOf(settings[name], different)])),
    read: (fields: object) =>
      withValues(sent.map(({ name, field }) => [name, (fields as Readonly<Record<string, unknown>>)[field]])),
  } as unknown as Surface<R, S>
}
