// What code in a container can do once it has broken out of a page, and what pages and media can: each tried.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { path } from '../../../../../scripts/workspaces.mjs'
import { podman } from './engine.mjs'
import { codeOf, containers, digestOf, must, page, start, vid, write } from './vid.mjs'

const CANARY = 'the-canary-of-this-machine'

/** Runs a script of the shell with the limits of a render. */
const inside = async ({ env, work }, script, ...flags) => {
  const folder = write(join(work, 'shell'), { 'index.html': page('shell') })
  const { stdout, stderr } = await start(env, folder, ['container', 'shell', '.', ...flags], {
    input: script,
  }).done
  return `${stdout}${stderr}`
}

/** Serves something on this machine while work is done; resolves to the number of requests. */
const whileServing = async (work) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end('hello')
  })
  await new Promise((resolve) => server.listen(0, '0.0.0.0', resolve))
  const addresses = Object.values(networkInterfaces())
    .flat()
    .map(({ address }) => address)
    .filter((address) => address.includes('.'))
  try {
    await work(addresses.map((address) => `http://${address}:${server.address().port}/`))
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return requests
}

const NODE = '/opt/vid/bin/node'

const GB = 2 ** 30

/** Renders a project in a container with limits; its config runs code inside, but not outside, where nothing is planned. */
const limited = async ({ env, work, plugin, repository }, name, { html = page(name), code = '', options }) => {
  const folder = write(join(work, name), {
    'index.html': html,
    'vid.config.mjs': `import docker from '${plugin}'
const attack = { name: 'attack', role: 'plugin', apiVersion: 1, options: {}, setup: (hooks) => hooks.plan.tapPromise({ name: 'attack', stage: 100 }, async (plan) => { ${code}; return plan }) }
export default { plugins: [attack], targets: { docker: docker(${JSON.stringify({ mounts: [repository], ...options })}) } }`,
  })
  const output = join(work, `${name}.mp4`)
  const ended = await vid(env, folder, 'render', '.', '-o', output, '--docker')
  must(ended.code === 0 || !existsSync(output), 'there is a partial output')
  must(containers(env).length === 0, 'a container is left')
  return ended
}

export const attacks = {
  async 'code inside reaches no network'(places) {
    const requests = await whileServing(async (addresses) => {
      const tries = [...addresses, 'http://169.254.169.254/', 'http://1.1.1.1/', 'https://registry.npmjs.org/']
      const code = `Promise.all(${JSON.stringify(tries)}.map((a) => fetch(a, { signal: AbortSignal.timeout(3000) }).then(() => console.log('REACHED', a), () => {})))`
      const said = await inside(places, `ls /sys/class/net\n${NODE} -e '${code}'\necho END\n`)
      must(said.includes('END') && !said.includes('REACHED'), said)
      must(!/eth|veth|tap/.test(said), `it has an interface: ${said}`)
    })
    must(requests === 0, `${requests} requests came through`)
  },
  async 'a page fetches nothing of the network'(places) {
    const requests = await whileServing(async ([address]) => {
      const folder = write(join(places.work, 'fetching'), {
        'index.html': page(
          `<img src="${address}a.png"><iframe src="${address}b"></iframe><script>fetch("${address}c").catch(() => {}); new WebSocket("${address.replace('http', 'ws')}d")</script>`,
        ),
      })
      await vid(places.env, folder, 'render', '.', '-o', '../fetching.mp4', '--docker')
    })
    must(requests === 0, `${requests} requests came through`)
  },
  async 'code inside sees no file of the machine'(places) {
    const canary = join(places.work, 'canary')
    writeFileSync(canary, CANARY)
    const said = await inside(
      places,
      `cat ${canary} /proc/1/root${canary} /etc/hostname; ls ${places.work}; ls /root /home /var/run/docker.sock /run/podman; cat /etc/shadow; mount | grep -c ' rw,.*ext4'\necho END\n`,
    )
    must(said.includes('END') && !said.includes(CANARY), said)
    must(!said.includes('docker.sock\n') || /cannot access.*docker.sock/.test(said), `it sees an engine: ${said}`)
  },
  async 'code inside reads no file of secrets of the project, and is refused'(places) {
    write(join(places.work, 'shell'), { '.env': CANARY, '.git/config': CANARY, '.npmrc': CANARY })
    const said = await inside(places, `cd ${places.work}/shell\ncat .env .npmrc; ls .git; cat .git/config\necho END\n`)
    must(said.includes('END') && !said.includes(CANARY), said)
    must(said.match(/Permission denied/g)?.length === 4, said)
  },
  async 'code inside has no rights, and cannot get any'(places) {
    const said = await inside(
      places,
      `grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status\nid -u\ntouch /opt/vid/x /etc/x /x && echo WROTE\nmount -t tmpfs t /mnt && echo MOUNTED\nmknod /tmp/sda b 8 0 && echo DEVICE\nunshare --user --map-root-user mount -t tmpfs t /mnt && echo MOUNTED\necho 1 > /proc/sys/kernel/sysrq && echo SYSRQ\ndmesg | head -1\nls /dev\necho END\n`,
    )
    must(
      /CapEff:\s*0+\n/.test(said) &&
        /CapBnd:\s*0+\n/.test(said) &&
        /NoNewPrivs:\s*1/.test(said) &&
        /Seccomp:\s*2/.test(said),
      said,
    )
    must(!/WROTE|MOUNTED|DEVICE|SYSRQ|vda|sda\n/.test(said), said)
    must(/^1000$/m.test(said) || process.getuid() !== 0, `root inside: ${said}`)
  },
  async 'code inside sees no other container and no process of the machine'({ env, image, ...places }) {
    podman(
      env,
      'run',
      '--detach',
      '--rm',
      '--name',
      'neighbour',
      '--network',
      'none',
      '--entrypoint',
      '/bin/sleep',
      image,
      '60',
    )
    try {
      const said = await inside({ env, ...places }, `cat /proc/[0-9]*/cmdline | tr '\\0' ' '\nkill -9 -1; echo END\n`)
      must(!/sleep 60|conmon/.test(said), said)
      must(
        podman(env, 'ps', '--filter', 'name=neighbour', '--format', '{{.Names}}') === 'neighbour',
        'the neighbour is gone',
      )
    } finally {
      podman(env, 'rm', '--force', '--time', '0', 'neighbour')
    }
  },
  async 'a fork bomb ends at the limit of processes'(places) {
    const said = await inside(
      places,
      `for i in $(seq 1 5000); do sleep 5 & done 2>&1 | tail -1\ncat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max 2>/dev/null\necho END\n`,
    )
    must(/fork|2048/.test(said), said.slice(-500))
  },
  async 'a page that takes all memory ends its render, not the machine'(places) {
    const html = page('<script>const all = []; while (true) all.push(new Uint8Array(1 << 26).fill(7))</script>')
    const ended = await limited(places, 'memory', { html, options: { memory: GB } })
    must(ended.code === 1, `exit ${ended.code}: ${ended.stderr}`)
    const code = codeOf(ended)
    if (code === 'VID_PAGE_CRASHED') must(/option memory of the target docker/.test(ended.stderr), ended.stderr)
    return code
  },
  async 'code inside that takes all memory is ended by its limit'(places) {
    const code = 'const all = []; for (;;) { all.push(Buffer.alloc(1 << 26, 7)); await new Promise(setImmediate) }'
    const ended = await limited(places, 'taking', { code, options: { memory: GB } })
    must(ended.code === 1 && codeOf(ended) === 'VID_CONTAINER_ENDED', `${ended.code} ${ended.stderr}`)
  },
  async 'code inside that fills the disk is ended'(places) {
    const code = `const { appendFileSync } = await import('node:fs'); const junk = Buffer.alloc(1 << 24); for (let i = 0; i < 1000; i += 1) { appendFileSync(process.env.TMPDIR + '/junk' + (i % 8), junk); await new Promise((resolve) => setTimeout(resolve, 5)) }`
    const ended = await limited(places, 'filling', { code, options: { disk: 5e8 } })
    must(ended.code === 1 && codeOf(ended) === 'VID_CONTAINER_DISK', `${ended.code} ${ended.stderr}`)
  },
  async 'media is read in a sandbox inside, as VID_SANDBOX=require wants it'(places) {
    const folder = write(join(places.work, 'confined'), {
      'index.html': page('<video src="lights.mp4" data-start="0" muted></video>', 0.2),
    })
    copyFileSync(path('examples/product-teaser/assets/lights.mp4'), join(folder, 'lights.mp4'))
    const output = join(places.work, 'confined.mp4')
    const env = { ...places.env, VID_SANDBOX: 'require' }
    const { code, stderr } = await vid(env, folder, 'render', '.', '-o', output, '--docker')
    must(code === 0 && !/VID_MEDIA_SANDBOX/.test(stderr), stderr.slice(-400))
  },
  async 'media that names files of the machine shows none of them'(places) {
    const canary = join(places.work, 'canary.txt')
    writeFileSync(canary, CANARY)
    const folder = write(join(places.work, 'media'), {
      'index.html': page(
        '<video data-start="0" data-duration="1" src="list.mp4"></video><video data-start="0" src="concat.mp4"></video>',
      ),
      'list.mp4': `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://${canary}\n#EXT-X-ENDLIST\n`,
      'concat.mp4': `ffconcat version 1.0\nfile ${canary}\n`,
    })
    const output = join(places.work, 'media.mp4')
    const ended = await vid(places.env, folder, 'render', '.', '-o', output, '--docker')
    must(!(ended.stdout + ended.stderr).includes(CANARY), 'the canary is in a message')
    must(!existsSync(output) || !readFileSync(output).includes(CANARY), 'the canary is in the output')
    must(containers(places.env).length === 0, 'a container is left')
    return ended.code === 0 ? digestOf(output).slice(0, 8) : codeOf(ended)
  },
  async 'the sandbox of the browser is on inside'(places) {
    const folder = write(join(places.work, 'sandboxed'), { 'index.html': page('sandbox') })
    const ended = await vid(
      { ...places.env, VID_SANDBOX: 'require' },
      folder,
      'render',
      '.',
      '-o',
      '../sandboxed.mp4',
      '--docker',
    )
    must(ended.code === 0, ended.stderr)
  },
}
