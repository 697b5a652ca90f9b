import { byStart, type Cue, MAX_CUES, type ReadResult } from '../model/cue.ts'
import { type AssText, alignmentOfSsa, readAssText } from './ass-text.ts'
import { linesOf } from './lines.ts'
import { parseTimestamp } from './timestamp.ts'

/** What a script says before its lines. */
interface Script {
  width: number
  height: number
  /** Alignment of each style, as on a keypad. */
  readonly styles: Map<string, number>
}

/** The size of a script that names none. */
const DEFAULT_SIZE = { width: 384, height: 288 }

/** The names of the fields of events, where no line lists them. */
const EVENT_FIELDS = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',')

const fieldsOf = (list: string): string[] => list.split(',').map((name) => name.trim().toLowerCase())

/** The values of a line by the names of its fields; the last one may contain commas. */
const valuesOf = (names: readonly string[], line: string): ReadonlyMap<string, string> => {
  const parts = line.split(',')
  const last = names.length - 1
  return new Map(
    names.map((name, index) => [name, (index === last ? parts.slice(last).join(',') : (parts[index] ?? '')).trim()]),
  )
}

const percent = (value: number, whole: number): string =>
  `${Math.round(Math.min(Math.max(value / whole, 0), 1) * 1000) / 10}%`

const SIDES = ['start', 'center', 'end'] as const

/** How WebVTT says where a text stands; undefined for the middle of the lower edge, its default. */
const settingsOf = ({ alignment = 2, position }: AssText, { width, height }: Script): string | undefined => {
  const column = (alignment - 1) % 3
  const row = Math.floor((alignment - 1) / 3)
  const align = SIDES[column] ?? 'center'
  if (position) {
    const edge = (['end', 'center', 'start'] as const)[row] ?? 'end'
    return `line:${percent(position.y, height)},${edge} position:${percent(position.x, width)} align:${align}`
  }
  const parts = [
    ...(row === 2 ? ['line:0'] : row === 1 ? ['line:50%,center'] : []),
    ...(column === 1 ? [] : [`position:${column === 0 ? '0%' : '100%'}`, `align:${align}`]),
  ]
  return parts.length > 0 ? parts.join(' ') : undefined
}

const readStyle = (names: readonly string[], value: string, isSsa: boolean, { styles }: Script): void => {
  const fields = valuesOf(names, value)
  const alignment = Number(fields.get('alignment') || 2)
  styles.set(fields.get('name') ?? '', isSsa ? alignmentOfSsa(alignment) : alignment)
}

/** The cue of a line; undefined for one without a text, and why it is broken. */
const readEvent = (
  fields: ReadonlyMap<string, string>,
  script: Script,
): Cue | undefined | { readonly reason: string } => {
  const [from = '', to = ''] = [fields.get('start'), fields.get('end')]
  const [start, end] = [parseTimestamp(from), parseTimestamp(to)]
  if (start === undefined || end === undefined)
    return { reason: `"${start === undefined ? from : to}" is not a time such as 0:01:02.50` }
  if (end < start) return { reason: `the end ${to} is before the start ${from}` }
  const content = readAssText(fields.get('text') ?? '', start, end)
  if (content.text === '') return undefined
  const style = script.styles.get((fields.get('style') ?? '').replace(/^\*/, ''))
  const settings = settingsOf({ ...(style !== undefined && { alignment: style }), ...content }, script)
  const speaker = fields.get('name') || fields.get('actor')
  return {
    start,
    end,
    text: content.text,
    ...(content.words && { words: content.words }),
    ...(speaker && { speaker }),
    ...(settings !== undefined && { settings }),
  }
}

/** Reads Advanced SubStation Alpha (ASS) and SSA: texts, times, speakers, words of karaoke, and positions as WebVTT has them. */
export const readAss = (text: string): ReadResult => {
  const script: Script = { ...DEFAULT_SIZE, styles: new Map() }
  const cues: Cue[] = []
  let section = ''
  let names = EVENT_FIELDS
  for (const [index, line] of linesOf(text).entries()) {
    const heading = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1]
    if (heading !== undefined) section = heading.toLowerCase()
    const [, key = '', value = ''] = /^\s*([A-Za-z]+)\s*:(.*)$/.exec(line) ?? []
    const name = key.toLowerCase()
    if (name === 'playresx') script.width = Number(value) || script.width
    if (name === 'playresy') script.height = Number(value) || script.height
    if (name === 'format') names = fieldsOf(value)
    if (name === 'style' && section.includes('styles')) readStyle(names, value, section === 'v4 styles', script)
    if (name !== 'dialogue' || section !== 'events') continue
    const event = readEvent(valuesOf(names, value), script)
    if (event && 'reason' in event) return { problem: { line: index + 1, reason: event.reason } }
    if (cues.length === MAX_CUES) return { problem: { line: index + 1, reason: `more than ${MAX_CUES} cues` } }
    if (event) cues.push(event)
  }
  return { captions: { cues: byStart(cues) } }
}
