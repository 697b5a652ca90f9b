import { spawnSync } from 'node:child_process'

/** Whether this user can make namespaces of its own, which many machines forbid. */
export const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

/** How vid runs in the tests: without namespaces, every render would warn of it. */
export const testSandbox = hasNamespaces ? 'auto' : 'off'
