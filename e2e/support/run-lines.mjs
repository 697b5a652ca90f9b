// Command lines in one process of what is installed beside this file: node run-lines.mjs LINES, a list as JSON.
import { Readable, Writable } from 'node:stream'
import { main } from '@vid/cli'

const answers = []
for (const { words, cwd = process.cwd(), env } of JSON.parse(process.argv[2])) {
  const text = { stdout: '', stderr: '' }
  const into = (name) =>
    new Writable({
      write(chunk, _, done) {
        text[name] += chunk
        done()
      },
    })
  const code = await main(words, {
    stdin: Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    env: { ...process.env, ...env },
    cwd,
    signal: new AbortController().signal,
    unguarded: (run) => run(),
  })
  answers.push({ code, ...text })
}
process.stdout.write(JSON.stringify(answers))
