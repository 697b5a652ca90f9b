// Sums the results that .ci/run leaves in a folder: names what failed, and prints "N passed, N failed" as the last line.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

const readReport = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** What failed in a file, a line each with the beginning of why. */
const failuresOf = ({ name, status, message = '', assertionResults }) => {
  const line = (what, why) => `failed: ${relative('.', name)}${what}: ${why.split('\n').slice(0, 3).join(' | ')}`
  const tests = assertionResults.filter((result) => result.status === 'failed')
  if (tests.length === 0 && status === 'failed') return [line('', message)]
  return tests.map(({ fullName, failureMessages }) => line(` › ${fullName}`, failureMessages[0] ?? ''))
}

const folder = process.argv[2] ?? '.'
let passed = 0
let failed = 0
for (const name of readdirSync(folder).filter((name) => name.endsWith('.exit'))) {
  const exitCode = Number(readFileSync(join(folder, name), 'utf8'))
  const report = readReport(join(folder, `${basename(name, '.exit')}.json`))
  const files = report?.testResults ?? []
  // A file that broke before its first test holds no test that could be counted.
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const failedHere = (report?.numFailedTests ?? 0) + broken
  for (const line of files.flatMap(failuresOf)) console.log(line)
  passed += report?.numPassedTests ?? 0
  // A step may also fail outside any test: the install, the build, a check, an unhandled error.
  failed += exitCode !== 0 && failedHere === 0 ? 1 : failedHere
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
