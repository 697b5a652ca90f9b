import type { VidLines } from '../init/project-files.ts'

type Words = Readonly<Record<string, unknown>>

const isWords = (value: unknown): value is Words => typeof value === 'object' && value !== null && !Array.isArray(value)

const IS_HYPERFRAMES = /^(@hyperframes\/|hyperframes$)/

/** Commands of HyperFrames by the command of vid that does the same. */
const COMMANDS: Readonly<Record<string, string>> = {
  preview: 'preview',
  dev: 'preview',
  render: 'render',
  lint: 'lint',
  check: 'lint',
  snapshot: 'snapshot',
  publish: 'publish',
  benchmark: 'benchmark',
  doctor: 'doctor',
}

const CALL = /(?:npx\s+(?:--?y(?:es)?\s+)?)?\bhyperframes(?:@[\w.^~-]+)?\s+([a-z-]+)/g

/** A script that calls vid; null when it asks for something that vid has under no other name. */
const scriptOf = (script: string): string | null => {
  let isKnown = true
  const command = script.replaceAll(CALL, (_, name: string) => {
    const command = COMMANDS[name]
    isKnown &&= command !== undefined
    return `vid ${command}`
  })
  // Flags are different ones; a script that gives any has to be written again.
  return isKnown && !/\bhyperframes\b|\s--?\w/.test(command) ? command : null
}

/**
 * A manifest for vid in place of one for HyperFrames, and the names of scripts that were left as they are. `gsap` is the
 * version of GSAP that the pages load, which is added where the manifest has none.
 */
export const manifestFor = (
  text: string,
  { devDependencies, allowScripts }: VidLines,
  gsap: string | undefined,
): { readonly text: string; readonly left: readonly string[] } | null => {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    return null
  }
  if (!isWords(manifest)) return null
  const without = (value: unknown): Words =>
    isWords(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !IS_HYPERFRAMES.test(name))) : {}
  const scripts = Object.entries(isWords(manifest.scripts) ? manifest.scripts : {}).map(([name, script]) => {
    const calls = typeof script === 'string' && /\bhyperframes\b/.test(script)
    return { name, script, to: calls ? scriptOf(script) : script }
  })
  const { dependencies, ...rest } = manifest
  const dependenciesLeft = without(dependencies)
  const isInstalled = [dependenciesLeft, without(manifest.devDependencies)].some((group) =>
    Object.hasOwn(group, 'gsap'),
  )
  const added = gsap === undefined || isInstalled ? {} : { gsap }
  const result = {
    ...rest,
    scripts: Object.fromEntries(scripts.map(({ name, script, to }) => [name, to ?? script])),
    ...((isWords(dependencies) || 'gsap' in added) && { dependencies: { ...dependenciesLeft, ...added } }),
    devDependencies: { ...without(manifest.devDependencies), ...devDependencies },
    allowScripts: { ...allowScripts, ...(isWords(manifest.allowScripts) && manifest.allowScripts) },
  }
  return {
    text: `${JSON.stringify(result, null, 2)}\n`,
    left: scripts.filter(({ to }) => to === null).map(({ name }) => name),
  }
}
