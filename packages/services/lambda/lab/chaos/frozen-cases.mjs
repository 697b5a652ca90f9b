// What a render finds whose environments stood still since the one before, with the browsers that they keep.
import { descendants, kill } from '../../../../../e2e/long/support/processes.mjs'

/** Longer than a page, a browser's drawing or a connection may be silent while it runs. */
const FROZEN_MS = 90_000

/** Browsers of all environments: the processes that have started the others of a browser. */
const browsersOf = (aws) =>
  descendants(aws.pid).filter(({ command }) => command.includes('--user-data-dir=') && !command.includes('--type='))

/** Renders the long video again; returns what is wrong with it. */
const renderAnew = async ({ session, compositions }) => {
  const handle = await session.start(compositions.long.dir, { config: { chunkSize: 60, reuse: false } })
  const end = await session.follow(handle)
  const problems = end.status === 'SUCCEEDED' ? [] : [`it has ${end.status}: ${JSON.stringify(end.errors)}`]
  return { problems, digest: end.result?.sha256, calls: end.lambdasInvoked }
}

/** Renders twice, with something between; the second render must be the first one's equal, with no more calls. */
const renderTwice = async (tools, between) => {
  const first = await renderAnew(tools)
  const browsers = browsersOf(tools.aws)
  await between(browsers)
  const startedMs = performance.now()
  const second = await renderAnew(tools)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const used = browsersOf(tools.aws).filter(({ pid }) => browsers.some((browser) => browser.pid === pid))
  const problems = [
    ...first.problems,
    ...second.problems,
    ...(browsers.length > 0 ? [] : ['no environment has kept its browser']),
    ...(second.digest === first.digest ? [] : ['the second file has other bytes']),
    ...(second.calls === first.calls ? [] : [`it took ${second.calls} calls, not ${first.calls}`]),
  ]
  return { problems, kept: browsers, used, how: `${browsers.length} browsers were kept, then ${seconds} s` }
}

/** Each returns its problems and a line about what it took. */
export const frozenCases = {
  'environments stand still between two renders': async (tools) => {
    const { problems, used, how } = await renderTwice(
      tools,
      () => new Promise((resolve) => setTimeout(resolve, FROZEN_MS)),
    )
    return {
      problems: used.length > 0 ? problems : [...problems, 'none of the browsers was used again'],
      how: `${how}; ${used.length} are still there`,
    }
  },
  'the browsers of environments that stand still are killed': async (tools) => {
    const { problems, used, how } = await renderTwice(tools, async (browsers) => {
      for (const { pid } of browsers) kill(pid)
    })
    return { problems: used.length === 0 ? problems : [...problems, 'a killed browser is there'], how }
  },
}
