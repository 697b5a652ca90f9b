// `hyperframes check` over converted folders: the program is installed elsewhere, and named by --peer.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { COUNTERPARTS, IGNORED } from './peer-rules.mjs'
import { addLibraries, toHyperframes } from './to-hyperframes.mjs'

const run = promisify(execFile)

/** A finding of HyperFrames in the form of vid's; one without a time is about the whole composition. */
const toFinding = ({ code, severity, selector, message, time, firstSeen, lastSeen }) => ({
  rule: code,
  level: severity,
  from: firstSeen ?? time ?? 0,
  to: lastSeen ?? time ?? 0,
  where: { element: selector ?? null },
  message,
})

const sectionsOf = (report) => Object.values(report).flatMap((section) => section?.findings ?? [])

/** `command` is the program, such as `/opt/hyperframes/node_modules/.bin/hyperframes`. */
export const openPeer = (command) => ({
  name: 'hyperframes check',
  convert: toHyperframes,
  /** Its samples hold no intervals: a finding fits by rule and element. */
  fits: (finding, entry, fitsElement) =>
    COUNTERPARTS[entry.rule].includes(finding.rule) &&
    (finding.where.element === '[data-composition-id]' || fitsElement(finding, entry)),
  check: async (folder, _flags, signal) => {
    await addLibraries(folder)
    // It ends with 1 for findings of the level error.
    const { stdout } = await run(command, ['check', folder, '--json'], { signal, maxBuffer: 64 * 2 ** 20 }).catch(
      (failure) => failure,
    )
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')))
    return sectionsOf(report)
      .map(toFinding)
      .filter(({ rule }) => !IGNORED.includes(rule))
  },
  close: async () => {},
})
