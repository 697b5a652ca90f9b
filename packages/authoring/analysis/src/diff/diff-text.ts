import { printable } from '@vid/protocol'
import type { DiffReport } from './diff-schema.ts'

type Interval = DiffReport['intervals'][number]

const seconds = (value: number) => String(Math.round(value * 100) / 100)

/** The frames and times of an interval. */
export const rangeText = ({ start, end, from, until }: Pick<Interval, 'start' | 'end' | 'from' | 'until'>): string =>
  end - start === 1
    ? `frame ${start} (${seconds(from)} s)`
    : `frames ${start} to ${end - 1} (${seconds(from)} to ${seconds(until)} s)`

/** How much a frame differs, and where. */
export const amountText = ({ changed, psnr, box }: Pick<Interval, 'changed' | 'psnr' | 'box'>): string => {
  const percent = changed * 100
  const share = percent < 0.01 ? 'less than 0.01' : percent < 1 ? percent.toFixed(2) : percent.toFixed(1)
  const noise = psnr === null ? '' : `, ${psnr.toFixed(1)} dB PSNR`
  return `${share} % of the pixels${noise}, in ${box.width}x${box.height} at ${box.x},${box.y}`
}

const levelText = (level: number | null) => (level === null ? 'silence' : `${level.toFixed(1)} dB`)

/** A comparison in lines. */
export const diffText = ({
  before,
  after,
  frames,
  differing,
  reason,
  problem,
  intervals,
  sound,
}: DiffReport): readonly string[] => [
  `${printable(before)} → ${printable(after)}`,
  `${differing} of ${frames} frames differ: ${reason}.`,
  ...(problem === undefined ? [] : [`Pictures cannot be compared: ${problem}.`]),
  ...intervals.flatMap((interval) => [
    `  ${rangeText(interval)}${interval.elements.length > 0 ? `: ${interval.elements.map(printable).join(', ')}` : ''}`,
    `    most in frame ${interval.worst}: ${amountText(interval)}`,
  ]),
  ...sound.map(
    ({ from, until, before: old, after: now }) =>
      `  sound ${seconds(from)} to ${seconds(until)} s: ${levelText(old)} before, ${levelText(now)} after`,
  ),
]
