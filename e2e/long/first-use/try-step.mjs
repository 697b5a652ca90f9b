// Does one thing as somebody who has never used vid, and says what is wrong with it.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { leftBy, startLine } from './newcomer.mjs'
import { tryPreview } from './preview.mjs'
import { missingOf } from './steps.mjs'

/** What confuses somebody who reads it, however well the command has ended. */
const STUMBLES = /^.*(?:npm (?:warn|error)|error VID_|warning VID_|^\s+at |Usage Error|deprecated).*$/gm

/** Runs a step of a newcomer; resolves to what is wrong: sentences. A preview leaves a picture of its page. */
export const tryStep = async (newcomer, step, picture) => {
  const { projects, uid } = newcomer
  const { folder, line, says = '', expects, files = {} } = step
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(projects, name)), { recursive: true })
    writeFileSync(join(projects, name), text)
    chownSync(dirname(join(projects, name)), uid, uid)
  }
  const { code, text, ...more } = /\bpreview\b/.test(line)
    ? await tryPreview(newcomer, join(projects, folder), line, picture)
    : await startLine(newcomer, join(projects, folder), line).done
  return [
    ...(code === 0 ? [] : [`exit code ${code}`, text]),
    ...(text.match(STUMBLES) ?? []).filter((stumble) => !expects?.test(stumble)),
    ...(text.includes(says) ? [] : [`it does not say "${says}"`, text]),
    ...missingOf(step, projects).map((file) => `it does not make ${file}`),
    ...(more.problems ?? []),
    ...leftBy(newcomer).map((file) => `left: ${file}`),
  ]
}
