import { withoutCredentials } from '@vid/protocol'
import type { Inspection } from '@vid/render'

/** Limit on the characters of a value that are shown. */
const MAX_VALUE_CHARACTERS = 80

const cut = (text: string) =>
  text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS - 1)}…` : text

const valueText = (value: unknown) => cut(withoutCredentials(JSON.stringify(value) ?? ''))

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows.reduce<number[]>((widths, row) => row.map((cell, i) => Math.max(widths[i] ?? 0, cell.length)), [])
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}

const section = (title: string, rows: readonly (readonly string[])[]) => [title, ...table(rows), '']

type Plan = NonNullable<Inspection['plan']>

const sizeText = ({ width, height, scale, fps }: Plan) =>
  `${width} x ${height}${scale === undefined ? '' : ` at scale ${scale}`}, ${fps} fps`

const lengthText = ({ duration, frames, segments, range }: Plan) => {
  const part = range ? ` from frame ${range.start} of ${range.of}` : ''
  return `${duration} s, ${frames} frames${part} in ${segments.length} segments`
}

/** An inspection as readable text; in short, without what every render has. */
export const inspectText = (inspection: Inspection, { isShort = false } = {}): string =>
  isShort ? shortText(inspection) : fullText(inspection)

const configSection = ({ configFile, config }: Pick<Inspection, 'configFile' | 'config'>) =>
  section(
    `config (${configFile ?? 'no config file'})`,
    Object.entries(config).map(([name, { value, source }]) => [name, source, valueText(value)]),
  )

/** What was chosen for this render, and its plan. */
const shortText = ({ configFile, config, plan, planHash, plannedBy, notes = [] }: Inspection): string => {
  const chosen = Object.entries(config).filter(([, { source }]) => source !== 'default')
  return [
    ...configSection({ configFile, config: Object.fromEntries(chosen) }),
    ...(plan
      ? section(`plan ${planHash}`, [
          ['size', sizeText(plan)],
          ['length', lengthText(plan)],
          ['format', `${plan.format}${plan.alpha ? ' with alpha' : ''}`],
          ...notes.map((note) => ['note', note]),
          ['media', `${plan.media.length} sources, ${plan.audio.length} with sound`],
        ])
      : []),
    ...(plannedBy === undefined ? [] : [`plan made elsewhere, by ${plannedBy}`, '']),
  ].join('\n')
}

const fullText = ({ configFile, config, plugins, taps, plan, planHash, plannedBy, notes = [], timings }: Inspection) =>
  [
    ...configSection({ configFile, config }),
    ...section(
      'plugins',
      plugins.map(({ role, name, options }) => [role, name, valueText(options)]),
    ),
    ...section(
      'taps, in the order in which they run',
      taps.map(({ hook, plugin, stage }) => [hook, String(stage), plugin]),
    ),
    ...(plan
      ? section(`plan ${planHash}`, [
          ['composition', `${plan.composition.id} in ${plan.composition.entry}`],
          ['size', sizeText(plan)],
          ['length', lengthText(plan)],
          ['format', `${plan.format}${plan.alpha ? ' with alpha' : ''}`],
          ['capture', `${plan.capture.name}, ${plan.capture.build}`],
          ...notes.map((note) => ['note', note]),
          ['encoder', `${plan.encoder.name}, ${plan.encoder.build}`],
          ['settings', valueText(plan.encoder.settings)],
          ...(plan.outputs ?? []).flatMap(({ format, encoder }) => [
            ['also', `${format}: ${encoder.name}, ${encoder.build}`],
            ['settings', valueText(encoder.settings)],
          ]),
          ['variables', valueText(plan.variables)],
          ['audio', `${plan.audio.length} tracks`],
          ['media', `${plan.media.length} sources`],
        ])
      : []),
    ...(plannedBy === undefined ? [] : ['plan', `  made elsewhere, since ${plannedBy} takes the request whole`, '']),
    ...section(
      'timings',
      timings.map(({ plugin, hook, calls, ms }) => [hook, plugin, `${ms.toFixed(1)} ms`, `${calls} calls`]),
    ),
    'Values that end with … are whole with --json.',
    '',
  ].join('\n')
