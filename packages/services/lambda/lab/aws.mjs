// Runs a command beside endpoints of AWS on this machine, so that `vid lambda` can be tried without an account:
//   npm run lab -- aws [options] bash
// packages/services/lambda/lab/aws/README.md says what they do, and what they do not prove.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startAws } from './aws/start.mjs'

const options = {
  s3: { type: 'string' },
  concurrency: { type: 'string', default: '4' },
  'retry-scale': { type: 'string', default: '0.1' },
  'init-seconds': { type: 'string', default: '10' },
  logs: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}
const argv = process.argv.slice(2)
// What follows the command is the command's own.
const { tokens } = parseArgs({ args: argv, options, allowPositionals: true, strict: false, tokens: true })
const first = tokens.find(({ kind }) => kind !== 'option')
const begin = first === undefined ? argv.length : first.index
const { values: flags } = parseArgs({ args: argv.slice(0, begin), options })
const [command, ...args] = argv.slice(first?.kind === 'option-terminator' ? begin + 1 : begin)
if (flags.help || !command) {
  console.error(`usage: npm run lab -- aws [options] <command> [arguments]
  --s3 URL           an S3 server that runs, with VID_S3_ACCESS_KEY and VID_S3_SECRET_KEY; VID_S3_ENDPOINT if left out,
                     which packages/services/s3/lab/s3-server.mjs sets, else a server in memory
  --concurrency 4    calls of functions that the account runs at once
  --retry-scale 0.1  factor of the waits before another attempt
  --init-seconds 10  time of a cold start, after which it is done again
  --logs             prints the logs of the functions at the end`)
  process.exit(flags.help ? 0 : 2)
}
const { VID_S3_ENDPOINT, VID_S3_ACCESS_KEY = '', VID_S3_SECRET_KEY = '' } = process.env
const endpoint = flags.s3 ?? VID_S3_ENDPOINT
const aws = await startAws({
  ...(endpoint && { s3: { endpoint, accessKeyId: VID_S3_ACCESS_KEY, secretAccessKey: VID_S3_SECRET_KEY } }),
  concurrency: Number(flags.concurrency),
  retryScale: Number(flags['retry-scale']),
  initSeconds: Number(flags['init-seconds']),
})
// The terminal itself stops the command.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
const [code] = await once(spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...aws.env } }), 'exit')
if (flags.logs) console.error((await aws.control('logs')).join(''))
await aws.close()
process.exit(code ?? 1)
