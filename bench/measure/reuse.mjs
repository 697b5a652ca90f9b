// What an edit of a minute costs: the first render, the same once more, and one after a word was changed in one scene.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { path } from '../../scripts/workspaces.mjs'
import { measureRun } from './measured-run.mjs'

/** Its name for `--only`. */
export const REUSE = 'reuse'

/** The word of the fifth scene that is changed, and what it becomes. */
const WORD = 'Lunch'
const OTHER = 'Break'

const renderOnce = async (project, output, quality, flags, signal) => {
  const args = ['render', project, '--output', output, '--quality', quality, '--quiet', ...flags]
  const { wallMs, cpuMs } = await measureRun(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...args], {
    signal,
  })
  return { wallMs, cpuMs }
}

/** Digests of the decoded frames. */
const framesOf = async (video, signal) => {
  const { ffmpeg } = await findFfmpeg({ signal })
  return runProcess(ffmpeg, ['-v', 'error', '-i', video, '-map', '0:v:0', '-f', 'framemd5', '-'], signal)
}

/** Renders the composition in a folder of its own, whose cache is empty at first. */
export const benchReuse = async ({ quality, signal }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-bench-'))
  try {
    const project = join(folder, 'project')
    cpSync(path('bench/reuse'), project, { recursive: true })
    const measure = (name, flags = []) => renderOnce(project, join(folder, name), quality, flags, signal)
    const first = await measure('first.mp4')
    const unchanged = await measure('unchanged.mp4')
    const page = join(project, 'index.html')
    const text = readFileSync(page, 'utf8')
    if (text.split(WORD).length !== 2) throw new Error(`bench/reuse does not hold "${WORD}" once`)
    writeFileSync(page, text.replace(WORD, OTHER))
    const edited = await measure('edited.mp4')
    const fresh = await measure('fresh.mp4', ['--no-cache'])
    const [same, other] = await Promise.all(
      ['edited.mp4', 'fresh.mp4'].map((name) => framesOf(join(folder, name), signal)),
    )
    return { composition: REUSE, quality, first, unchanged, edited, fresh, isEqual: same === other }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What `benchReuse` found, in words. */
export const describeReuse = ({ quality, first, isEqual, ...others }) => {
  const row = (label, { wallMs, cpuMs }) => {
    const [wall, cpu] = [wallMs / first.wallMs, cpuMs / first.cpuMs].map((part) => `${(part * 100).toFixed(1)} %`)
    return `  ${label.padEnd(22)} ${(wallMs / 1000).toFixed(2).padStart(7)} s wall ${(cpuMs / 1000).toFixed(2).padStart(7)} s CPU  ${wall} of the first (${cpu} by CPU)`
  }
  return `
a minute in ten scenes: ${quality}

${row('first', first)}
${row('unchanged', others.unchanged)}
${row('a word changed', others.edited)}
${row('the same, uncached', others.fresh)}

  frames of the last two are ${isEqual ? 'equal' : 'NOT equal'}`
}
