import { byStart, type Cue, MAX_CUES, type ReadResult } from '../model/cue.ts'
import { linesOf } from './lines.ts'
import { readTimes } from './timestamp.ts'
import { readVttText } from './vtt-text.ts'

/** Lines that belong together, with the number of the first, counted from 1. */
interface Block {
  readonly line: number
  readonly lines: readonly string[]
}

/** The lines between empty ones. */
const blocksOf = (lines: readonly string[]): Block[] => {
  const blocks: Block[] = []
  let start = 0
  for (let index = 0; index <= lines.length; index++) {
    if (lines[index]?.trim()) continue
    if (index > start) blocks.push({ line: start + 1, lines: lines.slice(start, index) })
    start = index + 1
  }
  return blocks
}

const SKIPPED = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/

const languageOf = (header: readonly string[]): string | undefined =>
  header.map((line) => /^Language:\s*([\w-]+)\s*$/i.exec(line)?.[1]).find((tag) => tag !== undefined)

/** The cue of a block; a problem with its place; undefined for notes, styles and regions. */
const readBlock = ({
  line,
  lines,
}: Block): { cue: Cue } | { problem: { line: number; reason: string } } | undefined => {
  if (SKIPPED.test(lines[0] ?? '') && !lines[0]?.includes('-->')) return undefined
  const index = lines.findIndex((text) => text.includes('-->'))
  if (index < 0) return { problem: { line, reason: `"${lines[0]?.slice(0, 40)}" has no time, a line with "-->"` } }
  if (index > 1) return { problem: { line, reason: 'two lines before the time of a cue; one may name it' } }
  const times = readTimes(lines[index] ?? '')
  if ('reason' in times) return { problem: { line: line + index, reason: times.reason } }
  const { start, end, settings } = times
  const payload = lines.slice(index + 1).join('\n')
  const id = index === 1 ? lines[0]?.trim() : undefined
  const facts = { ...(id !== undefined && { id }), ...(settings !== undefined && { settings }) }
  return { cue: { start, end, ...readVttText(payload, start, end), ...facts } }
}

/** Reads WebVTT: cues with the times of their words; notes, styles and regions are left out. */
export const readVtt = (text: string): ReadResult => {
  const [header, ...blocks] = blocksOf(linesOf(text))
  if (header?.line !== 1 || !/^WEBVTT(?:[ \t]|$)/.test(header.lines[0] ?? ''))
    return { problem: { line: 1, reason: 'the first line of WebVTT is "WEBVTT"' } }
  const language = languageOf(header.lines)
  const cues: Cue[] = []
  const early = header.lines.findIndex((line) => line.includes('-->'))
  if (early >= 0) return { problem: { line: early + 1, reason: 'an empty line must stand between "WEBVTT" and a cue' } }
  for (const block of blocks) {
    const content = readBlock(block)
    if (content === undefined) continue
    if ('problem' in content) return content
    if (cues.length === MAX_CUES) return { problem: { line: block.line, reason: `more than ${MAX_CUES} cues` } }
    cues.push(content.cue)
  }
  return { captions: { cues: byStart(cues), ...(language !== undefined && { language }) } }
}
