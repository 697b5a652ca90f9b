// Renders on the endpoints of AWS while environments, S3 and calls fail, and looks for wrong files and what is left: npm run lab -- lambda-chaos.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startAws } from './aws/start.mjs'
import { cases } from './chaos/chaos-cases.mjs'
import { runCase } from './chaos/chaos-run.mjs'
import { writeComposition } from './chaos/compositions.mjs'
import { frozenCases } from './chaos/frozen-cases.mjs'
import { reuseCases } from './chaos/reuse-cases.mjs'
import { openSession, renderHere } from './chaos/session.mjs'
import { versionCases } from './chaos/version-cases.mjs'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    package: { type: 'string' },
    concurrency: { type: 'string', default: '3' },
    logs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- lambda-chaos [--only REGEXP] [--package FILE] [--concurrency 3] [--logs]

Deploys a stack on the endpoints of packages/services/lambda/lab/aws and renders while something goes wrong. Each render must end as its case says, a
file must have the bytes of a local render, and nothing may be left but what the retention of the bucket removes. --only runs
the cases whose names match; --package takes a package of the function that was built before, or builds it there.
The S3 server of VID_S3_ENDPOINT is used where there is one: npm run lab -- s3-server npm run lab -- lambda-chaos`)
  process.exit()
}

const work = mkdtempSync(join(tmpdir(), 'vid-lambda-chaos-'))
const { VID_S3_ENDPOINT: endpoint, VID_S3_ACCESS_KEY: accessKeyId, VID_S3_SECRET_KEY: secretAccessKey } = process.env
const aws = await startAws({
  ...(endpoint && { s3: { endpoint, accessKeyId, secretAccessKey } }),
  retryScale: 0.02,
  concurrency: Number(flags.concurrency),
  initSeconds: 120,
})
Object.assign(process.env, aws.env)
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await aws.close()
    rmSync(work, { recursive: true, force: true })
    process.exit(1)
  })
const { buildFunctionPackage, deployStack, lambdaFailure } = await import('@vid/lambda')

const packageFile = flags.package ?? join(work, 'function.zip')
const wrong = []
const isWanted = (name) => new RegExp(flags.only).test(name)

try {
  if (!existsSync(packageFile)) await buildFunctionPackage({ cwd: work, out: packageFile })
  const stack = await deployStack({ packageFile })
  const { bucketName, stateMachineArn, functionArn: name } = stack
  const session = openSession({ bucketName, stateMachineArn })
  const usual = { Timeout: 900, MemorySize: 10_240 }
  let isUsual = true
  /** Changes the function, and changes it back. */
  const configure = async (configuration) => {
    if (!configuration && isUsual) return
    isUsual = !configuration
    await aws.control('reconfigure', { name, ...usual, ...configuration })
  }
  const longDir = writeComposition(work, 'long', { scenes: 5, seconds: 1 })
  let digest
  const compositions = {
    long: { dir: longDir, frames: 150, digest: () => (digest ??= renderHere(longDir, work)) },
    short: { dir: writeComposition(work, 'short', { scenes: 3, seconds: 0.5 }), frames: 45 },
  }
  const tools = {
    session,
    configure,
    work,
    aws,
    stack,
    compositions,
    lambdaFailure,
    concurrency: Number(flags.concurrency),
  }
  const run = async (name, check) => {
    if (!isWanted(name)) return
    const { problems, how } = await check(tools).catch((thrown) => ({
      problems: [thrown.stack],
      how: 'ended early',
    }))
    console.log(`${problems.length === 0 ? 'ok   ' : 'WRONG'} ${name}: ${how}`)
    for (const problem of problems) console.log(`      ${problem}`)
    if (problems.length > 0) wrong.push(name)
  }
  for (const [name, chaos] of Object.entries(cases)) await run(name, (options) => runCase(chaos, options))
  for (const [name, check] of Object.entries({ ...versionCases, ...reuseCases, ...frozenCases })) await run(name, check)
} catch (thrown) {
  console.error(thrown)
  wrong.push(String(thrown))
} finally {
  if (flags.logs) writeFileSync('lambda-chaos.log', (await aws.control('logs')).join(''))
  await aws.close()
  rmSync(work, { recursive: true, force: true })
}
console.log(wrong.length === 0 ? 'nothing went wrong' : `${wrong.length} went wrong`)
process.exitCode = wrong.length === 0 ? 0 : 1
