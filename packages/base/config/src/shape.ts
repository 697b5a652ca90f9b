import type { Role } from '@vid/kernel'
import { nearest, schemaProblems } from '@vid/protocol'
import { CheckSettingsSchema, RenderDefaultsSchema } from './define.ts'

type Data = Readonly<Record<string, unknown>>

/** Where plugins of each role belong, and what makes one. */
const ROLES: Readonly<Record<Role, { readonly a: string; readonly slot: string; readonly define: string }>> = {
  capture: { a: 'a capture engine', slot: 'capture', define: 'defineCapture' },
  encoder: { a: 'an encoder', slot: 'encoders', define: 'defineEncoder' },
  store: { a: 'a store', slot: 'store', define: 'defineStore' },
  target: { a: 'a target', slot: 'targets', define: 'defineTarget' },
  delivery: { a: 'a delivery', slot: 'deliveries', define: 'defineDelivery' },
  plugin: { a: 'a plugin of no other role', slot: 'plugins', define: 'definePlugin' },
  check: { a: 'a check', slot: 'checks', define: 'defineCheck' },
  transcriber: { a: 'a transcriber', slot: 'transcriber', define: 'defineTranscriber' },
  speaker: { a: 'a speaker', slot: 'speaker', define: 'defineSpeaker' },
}
const LISTS = { encoders: 'encoder', deliveries: 'delivery', plugins: 'plugin', checks: 'check' } as const

const PRESET_SLOTS = ['capture', 'encoders', 'store', 'targets', 'target', 'deliveries', 'plugins', 'render']
const SPEECH_SLOTS = ['transcriber', 'speaker'] as const
const CONFIG_SLOTS: readonly string[] = [
  'presets',
  'preset',
  'commands',
  'checks',
  'check',
  ...SPEECH_SLOTS,
  ...PRESET_SLOTS,
]

const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const nameOf = (value: unknown): string => (isRecord(value) && typeof value.name === 'string' ? value.name : '')

/** What a value is in words, with what to do when it is a common mistake. */
const describeMistake = (value: unknown): string => {
  if (typeof value === 'function') {
    const product = value.name === '' ? '' : ` that makes ${value.name}`
    return `it is the function${product}; call it with ()`
  }
  if (Array.isArray(value)) return 'it is a list; write ... before it'
  if (isRecord(value) && typeof value.then === 'function') return 'it is a promise; write await before it'
  if (isRecord(value) && 'default' in value) return 'it is a whole module; take its default export'
  return `got ${value === undefined ? 'undefined' : JSON.stringify(value)?.slice(0, 80)}`
}

const isPreset = (value: Data) => nameOf(value) !== '' && PRESET_SLOTS.some((slot) => slot in value)

const misplaced = (place: string, value: unknown, role: Role) =>
  `${place} is "${nameOf(value)}", which is ${ROLES[role].a}: it belongs in ${ROLES[role].slot}`

/** Whatever keeps a value from being a plugin of a role; `place` is where it stands. */
const pluginProblems = (place: string, value: unknown, role: Role): string[] => {
  const { define } = ROLES[role]
  if (!isRecord(value) || typeof value.then === 'function' || 'default' in value)
    return [`${place} must be a plugin; ${describeMistake(value)}`]
  const actual = value.role
  if (actual === role) return []
  if (typeof actual === 'string' && Object.hasOwn(ROLES, actual)) {
    return [misplaced(place, value, actual as Role)]
  }
  if (actual === undefined && isPreset(value))
    return [`${place} is the preset "${nameOf(value)}": it belongs in presets`]
  return [`${place} is no plugin: make it with ${define} of @vid/kernel`]
}

/** Names that stand twice in one list. */
const duplicates = (place: string, values: readonly unknown[]): string[] => {
  const names = values.map(nameOf)
  const twice = names.filter((name, index) => name !== '' && names.indexOf(name) !== index)
  return [...new Set(twice)].map((name) => `${place} has two of the name "${name}"`)
}

/** What could be meant by an unknown word: the nearest, and all. */
const choices = (word: string, names: readonly string[]) => {
  const near = nearest(word, names)
  return `${near === undefined ? '' : `did you mean "${near}"? `}known: ${names.join(', ')}`
}

const renderProblems = (prefix: string, render: unknown): string[] => {
  if (render === undefined) return []
  if (!isRecord(render)) return [`${prefix}render must be an object; got ${JSON.stringify(render)}`]
  const names = [...Object.keys(RenderDefaultsSchema.properties), 'variables']
  const { variables: _, ...settings } = render
  return [
    ...Object.keys(settings)
      .filter((key) => !names.includes(key))
      .map((key) => `${prefix}render.${key} is not a setting; ${choices(key, names)}`),
    ...schemaProblems(RenderDefaultsSchema, settings).map((problem) => `${prefix}render.${problem}`),
  ]
}

const targetProblems = (prefix: string, targets: unknown): string[] => {
  if (targets === undefined) return []
  if (!isRecord(targets)) return [`${prefix}targets must be an object of names, such as { local: local() }`]
  if (typeof targets.role === 'string')
    return [`${prefix}targets must be an object of names, such as { local: local() }; it is one plugin`]
  return Object.entries(targets).flatMap(([name, target]) =>
    pluginProblems(`${prefix}targets.${name}`, target, 'target'),
  )
}

/** Problems of what a config and a preset share; `at` is where they stand, as `presets[0].`. */
const slotProblems = (prefix: string, record: Data, slots: readonly string[]): string[] => [
  ...Object.keys(record)
    .filter((key) => !slots.includes(key))
    .map((key) => `${prefix && `${prefix.slice(0, -1)} has the `}unknown key "${key}"; ${choices(key, slots)}`),
  ...['target', 'preset']
    .filter((key) => slots.includes(key) && record[key] !== undefined && typeof record[key] !== 'string')
    .map((key) => `${prefix}${key} must be a name; ${describeMistake(record[key])}`),
  ...(record.capture === undefined ? [] : pluginProblems(`${prefix}capture`, record.capture, 'capture')),
  ...SPEECH_SLOTS.flatMap((slot) =>
    record[slot] === undefined ? [] : pluginProblems(`${prefix}${slot}`, record[slot], slot),
  ),
  ...(record.store === undefined || record.store === false
    ? []
    : pluginProblems(`${prefix}store`, record.store, 'store')),
  ...Object.entries(LISTS).flatMap(([slot, role]) => {
    const list = record[slot]
    if (list === undefined) return []
    if (!Array.isArray(list)) return [`${prefix}${slot} must be a list`]
    return [
      ...list.flatMap((item, index) => pluginProblems(`${prefix}${slot}[${index}]`, item, role)),
      ...duplicates(`${prefix}${slot}`, list),
    ]
  }),
  ...targetProblems(prefix, record.targets),
  ...renderProblems(prefix, record.render),
]

const presetProblems = (presets: unknown): string[] => {
  if (presets === undefined) return []
  if (!Array.isArray(presets)) return ['presets must be a list']
  return [
    ...presets.flatMap((preset: unknown, index) => {
      const place = `presets[${index}]`
      if (!isRecord(preset) || typeof preset.then === 'function')
        return [`${place} must be a preset; ${describeMistake(preset)}`]
      const { role, name } = preset
      if (typeof role === 'string' && Object.hasOwn(ROLES, role)) return [misplaced(place, preset, role as Role)]
      if (typeof name !== 'string' || name === '') return [`${place} has no name`]
      return slotProblems(`${place}.`, preset, ['name', ...PRESET_SLOTS])
    }),
    ...duplicates('presets', presets),
  ]
}

const WORDS = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?: [a-z][a-z0-9]*(?:-[a-z0-9]+)*)*$/

const isCommand = ({ path, summary, options, run }: Data) =>
  typeof path === 'string' && typeof summary === 'string' && isRecord(options) && typeof run === 'function'

const commandProblems = (commands: unknown): string[] => {
  if (commands === undefined) return []
  if (!Array.isArray(commands)) return ['commands must be a list']
  const paths = commands.map((command: unknown) => (isRecord(command) ? command.path : undefined))
  return commands.flatMap((command: unknown, index) => {
    const place = `commands[${index}]`
    if (!isRecord(command) || !isCommand(command))
      return [`${place} must be a command of defineCommand of @vid/command; ${describeMistake(command)}`]
    if (!WORDS.test(String(command.path)))
      return [`${place}.path must be lower-case words, such as "storyboard"; got "${command.path}"`]
    return paths.indexOf(command.path) === index ? [] : [`commands has two of the path "${command.path}"`]
  })
}

const checkProblems = (check: unknown): string[] =>
  check === undefined ? [] : schemaProblems(CheckSettingsSchema, check).map((problem) => `check.${problem}`)

/** Everything that is wrong with what a config file exports. */
export const shapeProblems = (config: unknown): string[] => {
  if (config === undefined) return ['it must export an object as its default; it has no default export']
  if (typeof config === 'function') return ['it must export an object as its default; it exports a function']
  if (!isRecord(config)) return [`it must export an object as its default; got ${JSON.stringify(config)}`]
  if (Object.keys(config).length === 1 && isRecord(config.default))
    return ['its default export is wrapped twice: export the object itself']
  const problems = [
    ...slotProblems('', config, CONFIG_SLOTS),
    ...presetProblems(config.presets),
    ...commandProblems(config.commands),
    ...checkProblems(config.check),
  ]
  const keys = Object.keys(config)
  const isForeign = keys.length > 0 && !keys.some((key) => CONFIG_SLOTS.includes(key))
  // A file without a default export is loaded as the object of all that it exports.
  return isForeign && !problems.some((problem) => problem.includes('did you mean'))
    ? [...problems, 'the config is the default export: export default { … }']
    : problems
}
