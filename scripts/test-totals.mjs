// Sums the reports that scripts/suites.mjs leaves in a folder for .ci/run: names what failed, and prints "N passed, N failed" as the last line.
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
const named = (ending) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name: basename(name, ending), exitCode: Number(readFileSync(join(folder, name), 'utf8')) }))
let passed = 0
let failed = 0
const failedSuites = []
for (const { name, exitCode } of named('.exit')) {
  const report = readReport(join(folder, `${name}.json`))
  const files = report?.testResults ?? []
  // A file that broke before its first test holds no test that could be counted.
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const failedHere = (report?.numFailedTests ?? 0) + broken
  for (const line of files.flatMap(failuresOf)) console.log(line)
  passed += report?.numPassedTests ?? 0
  // A suite may also fail outside any test: an unhandled error, a crash before its report.
  failed += exitCode !== 0 && failedHere === 0 ? 1 : failedHere
  if (exitCode !== 0 || failedHere > 0) failedSuites.push(name)
}
// A command may fail outside its suites: the install, the build.
for (const { name, exitCode } of named('.step')) {
  if (exitCode === 0 || failedSuites.some((suite) => suite.startsWith(`${name}-`))) continue
  console.log(`failed: npm run ${name}, outside its suites`)
  failed++
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
