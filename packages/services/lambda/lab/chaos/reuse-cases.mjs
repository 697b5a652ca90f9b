// What renders on AWS reuse: an edited word, and what the renders of a batch share.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sceneWords, writeComposition } from './compositions.mjs'
import { vidLambda } from './version-cases.mjs'

/** Share of the frames that a render with an edited word encodes: one of eight segments. */
const EDIT_SHARE = 1 / 8
const BATCH = 20
const LINES = 50

const seconds = ({ cost }) => cost.billedSeconds

/** Frames that were encoded: those of finished calls that were not reused. */
const encoded = async (session, ids) => {
  const ends = (await Promise.all(ids.map((id) => session.keys(`renders/${id}/calls/segment.`)))).flat()
  return ends
    .map((key) => /\.end\.done\.\d+\.(\d+)\.(\d+)\./.exec(key))
    .filter(Boolean)
    .reduce((sum, [, frames, reused]) => sum + Number(frames) - Number(reused), 0)
}
/** Seconds of the calls that ended, by what they did: those of chunks with frames to render, and of those without. */
const secondsByCall = async (session, id) => {
  const ends = (await session.keys(`renders/${id}/calls/`))
    .map((key) => /\/(\w+)\.\d+\.[\w-]+\.end\.done\.(\d+)\.(\d+)\.(\d+)\./.exec(key))
    .filter(Boolean)
  const name = ([, action, , frames, reused]) => (action === 'segment' && frames === reused ? 'reused' : action)
  const names = [...new Set(ends.map(name))].sort()
  const of = (label) => ends.filter((end) => name(end) === label)
  const sum = (all) => (all.reduce((total, [, , ms]) => total + Number(ms), 0) / 1000).toFixed(1)
  return names.map((label) => `${of(label).length} ${label} ${sum(of(label))} s`).join(', ')
}
const badLines = (rows) => {
  const bad = ['no json', '{"outputKey":7}', '{"outputKey":"sites/a.mp4"}', '[]', '{"variables":{}}', '', rows[0]]
  return rows.map((row, index) => (index % 7 === 6 ? bad[(index - 6) / 7] : row))
}

/** Each returns its problems and a line about what it took. */
export const reuseCases = {
  'an edited word in a video of a minute': async ({ session, work }) => {
    const composition = { scenes: 12, seconds: 5, width: 640, height: 360 }
    const render = async (name, words) => {
      const handle = await session.start(writeComposition(work, name, { ...composition, words }), { config: {} })
      const end = await session.follow(handle)
      if (end.status !== 'SUCCEEDED') throw new Error(`${name} has ${end.status}: ${JSON.stringify(end.errors)}`)
      return end
    }
    const words = sceneWords(composition.scenes)
    const first = await render('before', words)
    const edited = await render('after', words.with(2, 'Changed'))
    const share = seconds(edited) / seconds(first)
    const encodedFrames = edited.totalFrames - edited.framesReused
    const problems = encodedFrames === edited.totalFrames * EDIT_SHARE ? [] : [`${encodedFrames} frames were encoded`]
    const frames = `${edited.framesReused} of ${edited.totalFrames} frames reused`
    const times = `${seconds(first).toFixed(1)} s, then ${seconds(edited).toFixed(1)} s of function`
    const calls = `${await secondsByCall(session, first.renderId)}; ${await secondsByCall(session, edited.renderId)}`
    return { problems, how: `${times} (${(share * 100).toFixed(1)} %), ${frames} (${calls})` }
  },
  'a batch of 20 with one intro': async ({ session, work }) => {
    const dir = writeComposition(work, 'intro', { scenes: 4, seconds: 2 })
    const start = (last, batchId) => session.start(dir, { config: { variables: { last } }, batchId })
    // A separate video shows what a render makes when the intro exists.
    const other = writeComposition(work, 'measure', {
      scenes: 4,
      seconds: 2,
      words: ['Other', 'words', 'than', 'those'],
    })
    const alone = []
    for (const last of ['One', 'Two']) {
      const handle = await session.start(other, { config: { variables: { last } } })
      await session.follow(handle)
      alone.push(await encoded(session, [handle.renderId]))
    }
    const [whole, rest] = alone
    const batchId = `batch-${randomUUID()}`
    const handles = await Promise.all(Array.from({ length: BATCH }, (_, index) => start(`Row ${index}`, batchId)))
    const ends = await Promise.all(handles.map(session.follow))
    const frames = await encoded(
      session,
      handles.map(({ renderId }) => renderId),
    )
    const expected = whole + (BATCH - 1) * rest
    const failed = ends.filter(({ status }) => status !== 'SUCCEEDED')
    const problems = [
      ...(failed.length > 0 ? [`${failed.length} failed: ${JSON.stringify(failed[0].errors)}`] : []),
      ...(rest < whole ? [] : ['nothing of the video could be reused']),
      ...(frames === expected ? [] : [`${frames} frames were encoded, ${expected} would have done`]),
    ]
    return { problems, how: `${frames} frames encoded: ${whole} once, then ${rest} for each of ${BATCH - 1}` }
  },
  'a batch of 50 lines with bad ones': async ({ session, compositions, work }) => {
    const row = (index) => JSON.stringify({ outputKey: `rows/${index}.mp4`, variables: { last: `Row ${index}` } })
    const rows = Array.from({ length: LINES }, (_, index) => row(index))
    const file = join(work, 'rows.jsonl')
    const batch = async (lines) => {
      writeFileSync(file, lines.join('\n'))
      return vidLambda(['render-batch', compositions.short.dir, '--batch', file, '--json'])
    }
    const before = (await session.keys('renders/')).length
    const refused = await batch(badLines(rows))
    const begun = (await session.keys('renders/')).length - before
    const named = [7, 14, 21, 28, 35, 49].filter((line) => !new RegExp(`Line ${line}\\b`).test(refused.stderr))
    const good = await batch(rows)
    const started = good.code === 0 ? JSON.parse(good.stdout) : []
    const ends = await Promise.all(
      started.map(({ executionArn }) => session.follow({ renderId: executionArn.split(':').at(-1) })),
    )
    const digests = await Promise.all(rows.map((_, index) => session.digestOf(`rows/${index}.mp4`).catch(() => 'none')))
    const problems = [
      ...(refused.code === 2 ? [] : [`bad lines ended with ${refused.code}`]),
      ...(begun === 0 ? [] : [`${begun} objects of renders were made for refused lines`]),
      ...(named.length === 0 ? [] : [`lines ${named} were not named: ${refused.stderr}`]),
      ...(good.code === 0 ? [] : [good.stderr]),
      ...ends.filter(({ status }) => status !== 'SUCCEEDED').map(({ errors }) => JSON.stringify(errors)),
      ...(new Set(digests).size === LINES ? [] : [`${new Set(digests).size} different files`]),
    ]
    return { problems, how: `refused with ${refused.code}, then ${ends.length} renders` }
  },
}
