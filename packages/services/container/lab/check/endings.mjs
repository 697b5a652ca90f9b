// How renders in a container end before their end, and what is left then: nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { podman } from './engine.mjs'
import { codeOf, containers, eventually, must, page, start, vid, write } from './vid.mjs'

const MOVING = page(
  '<div style="position:absolute;width:60px;height:60px;background:#08f;animation:move 20s linear"></div>',
  120,
  '<style>@keyframes move { to { transform: translateX(240px) rotate(700deg) } }</style>',
)

const project = (work) => write(join(work, 'moving'), { 'index.html': MOVING })

/** Starts a long render and waits for its first frames. */
const begin = async ({ env, work }) => {
  const output = join(work, 'long.mp4')
  const running = start(env, project(work), ['render', '.', '-o', output, '--docker', '--json'])
  await running.until(/"stage":"render".*"framesRendered":[1-9]/)
  return { ...running, output }
}

/** The process of a program that another has started. */
const childOf = (parent, program) => {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
  const pid = pids.find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === program)
  must(pid !== undefined, `${program} is no child of ${parent}`)
  return Number(pid)
}

const mustBeClean = ({ env, temp }, output) => {
  must(!existsSync(output), 'there is a partial output')
  must(containers(env).length === 0, 'a container is left')
  const left = readdirSync(temp).filter((name) => name.startsWith('vid-work-'))
  must(left.length === 0, `a scratch folder is left: ${left}`)
}

export const endings = {
  async 'Ctrl-C stops the container and leaves nothing'(places) {
    const { child, done, output } = await begin(places)
    child.kill('SIGINT')
    const { code } = await done
    must(code === 130, `exit ${code}`)
    mustBeClean(places, output)
  },
  async 'Ctrl-C twice ends at once, and the container ends by itself'(places) {
    const { child, done } = await begin(places)
    child.kill('SIGINT')
    child.kill('SIGINT')
    must((await done).code === 130, 'another exit code')
    await eventually('the container is gone', () => containers(places.env).length === 0)
  },
  async 'a killed container is an error of the machine'(places) {
    const { done, output } = await begin(places)
    podman(places.env, 'kill', '--signal', 'KILL', ...containers(places.env))
    const ended = await done
    must(ended.code === 1 && codeOf(ended) === 'VID_CONTAINER_ENDED', `${ended.code} ${ended.stderr}`)
    mustBeClean(places, output)
  },
  async 'a killed command takes its container with it'(places) {
    const { child, done, output } = await begin(places)
    child.kill('SIGKILL')
    await done
    await eventually('the container is gone', () => containers(places.env).length === 0)
    must(!existsSync(output), 'there is a partial output')
  },
  async 'a killed engine is an error of the machine, and what it leaves is removed'(places) {
    const { done, output } = await begin(places)
    const [name] = containers(places.env)
    process.kill(Number(podman(places.env, 'inspect', '--format', '{{.State.ConmonPid}}', name)), 'SIGKILL')
    const ended = await done
    must(ended.code === 1 && /^VID_CONTAINER_/.test(codeOf(ended)), `${ended.code} ${ended.stderr}`)
    await eventually('the container is gone', () => containers(places.env).length === 0)
    must(!existsSync(output), 'there is a partial output')
  },
  async 'a killed program of the engine is an error of the machine, and its container ends'(places) {
    const { child, done, output } = await begin(places)
    process.kill(childOf(child.pid, 'podman'), 'SIGKILL')
    const ended = await done
    must(ended.code === 1 && /^VID_CONTAINER_/.test(codeOf(ended)), `${ended.code} ${ended.stderr}`)
    mustBeClean(places, output)
  },
  async 'Ctrl-C stops all containers of a batch, and leaves no part of a row'(places) {
    const folder = write(join(places.work, 'long-rows'), {
      'index.html': MOVING,
      'rows.json': JSON.stringify([{ n: 1 }, { n: 2 }, { n: 3 }]),
    })
    const out = join(places.work, 'long-rows-out')
    const words = ['render', '.', '--batch', 'rows.json', '-o', join(out, '{n}.mp4'), '--docker', '--json']
    const { child, done } = start(places.env, folder, [...words, '--batch-concurrency', '2'])
    await eventually('two rows run', () => containers(places.env).length === 2)
    child.kill('SIGINT')
    const { code } = await done
    must(code === 130, `exit ${code}`)
    mustBeClean(places, join(out, '1.mp4'))
    const left = existsSync(out) ? readdirSync(out).filter((name) => name.endsWith('.mp4')) : []
    must(left.length === 0, `left: ${left}`)
  },
  async 'what a killed command and a killed engine have left is removed by the next render'(places) {
    const { child, done } = await begin(places)
    const [name] = containers(places.env)
    // Held, so that nothing inside notices that it is alone.
    podman(places.env, 'pause', name)
    child.kill('SIGKILL')
    await done
    must(containers(places.env).length === 1, 'it is gone already')
    const { code, stderr } = await vid(
      places.env,
      write(join(places.work, 'next'), { 'index.html': page('next') }),
      'render',
      '.',
      '-o',
      '../next.mp4',
      '--docker',
    )
    must(code === 0, stderr)
    must(containers(places.env).length === 0, 'a container is left')
  },
  async 'a full disk is an error of the machine'(places) {
    const disk = join(places.work, 'disk')
    mkdirSync(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m,mode=1777', 'tmpfs', disk])
    try {
      const noise = page(
        '<canvas id="c" width="320" height="180"></canvas><script>const x = document.getElementById("c").getContext("2d"); const d = x.createImageData(320, 180); addEventListener("vid-seek", () => { crypto.getRandomValues(d.data.subarray(0, 65536)); for (let i = 65536; i < d.data.length; i++) d.data[i] = Math.random() * 256; x.putImageData(d, 0, 0) })</script>',
        60,
      )
      const folder = write(join(places.work, 'noise'), { 'index.html': noise })
      const env = { ...places.env, TMPDIR: disk }
      const output = join(places.work, 'noise.mov')
      const ended = await vid(env, folder, 'render', '.', '-o', output, '--docker', '--json')
      const said = ended.stdout + ended.stderr
      must(ended.code === 1 && /"fault":"machine"/.test(said), `exit ${ended.code}: ${said.slice(-600)}`)
      must(!existsSync(output), 'there is a partial output')
      must(readdirSync(disk).length === 0, `left on the disk: ${readdirSync(disk)}`)
      return /"code":"(VID_\w+)"/.exec(said)?.[1]
    } finally {
      spawnSync('umount', [disk])
    }
  },
}
