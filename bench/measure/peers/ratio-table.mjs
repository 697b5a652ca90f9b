const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

/** The middle of numbers; the lower one of two. */
export const medianOf = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)]

/** How often the wall time of vid goes into the peer's, in pairs that ran one after the other; undefined without runs. */
export const ratioOf = (pairs) => {
  const ratios = pairs.map(({ vid, peer }) => peer.wallMs / vid.wallMs)
  if (ratios.length === 0) return undefined
  return { median: medianOf(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
}

const cellsOf = ({ composition, peer, pairs, likeness, problem }) => {
  if (problem !== undefined) return [composition, peer, problem, '', '', '', '', '']
  const [vid, other] = ['vid', 'peer'].map((side) => medianOf(pairs.map((pair) => pair[side].wallMs)))
  const cpu = medianOf(pairs.map((pair) => pair.peer.cpuMs / pair.vid.cpuMs))
  const encoder = medianOf(pairs.map((pair) => pair.vid.cpuMs / pair.x264.cpuMs))
  const { median, min, max } = ratioOf(pairs)
  const better = median < 1 ? ', the peer is faster' : ''
  const times = `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})${better}`
  const ratios = [times, cpu.toFixed(2), encoder.toFixed(2)]
  return [composition, peer, seconds(vid), seconds(other), ...ratios, `${likeness.psnr.toFixed(1)} dB`]
}

/** The last ratio is that of vid to its encoder alone. */
const HEAD = ['Composition', 'Peer', 'vid', 'Peer', '× vid (wall, min–max)', '× vid (CPU)', 'vid × x264 (CPU)', 'PSNR']

/** The rows as a table of Markdown. */
export const ratioTable = (rows) => {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cellsOf(row)))].join('\n')
}
