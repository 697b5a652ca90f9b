// Runs the checks of package.json, those named "check:…", as many at once as there are processors, and shows what each has
// said once it has ended.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { path } from './workspaces.mjs'

/** Runs one command of package.json as npm does; gives its exit code and all that it has said. */
const run = (command) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: `${path('node_modules/.bin')}${delimiter}${process.env.PATH}` }
    const child = spawn(command, { cwd: path('.'), env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text }))
  })

const { scripts } = JSON.parse(await readFile(path('package.json'), 'utf8'))
const waiting = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))

const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next
    const { code, text } = await run(command)
    process.stdout.write(text)
    if (code === 0) continue
    process.stderr.write(`npm run ${name} failed\n`)
    process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
