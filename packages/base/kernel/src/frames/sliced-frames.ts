import { createChange, type Segment } from '@vid/protocol'
import type { Frame, SegmentSlice } from '../contracts/roles.ts'
import { FIRST_SLICE_FRAMES, MIN_SLICE_FRAMES } from '../plan/slices.ts'
import { createFrameQueue, createSpareBuffers, type FrameQueue } from './frame-queue.ts'

/** Bytes of pictures that may have been captured ahead of the encoder, for each page. */
const AHEAD_BYTES = 64 * 2 ** 20

/** Most frames of a slice: a page waits for its last frame before it begins the next slice. */
const MAX_SLICE_FRAMES = 32

/** A page that captures slices of a segment. */
export interface SlicePage {
  /** Frames from `start` up to the end of the slice, or to one from which on a single page has to capture the rest. */
  frames(start: number, slice: SegmentSlice, signal: AbortSignal): AsyncIterable<Frame>
  /** Gives the page back; `next` is the first frame that it has not shown. */
  release(next: number): void
  discard(): Promise<void>
}

/** A segment that is captured in slices. */
export interface SlicedFrames {
  /** All frames, in order. */
  frames(): AsyncGenerator<Frame>
  /** Lets another page capture slices, until none is left. */
  help(page: SlicePage): Promise<void>
}

interface SliceParts {
  readonly segment: Segment
  /** Bytes of a frame. */
  readonly frameBytes: number
  /** Captures the rest of the segment with one page. */
  alone(start: number): AsyncIterable<Frame>
}

/** A slice that a page captures while other slices are read. */
interface Slice extends SegmentSlice {
  readonly start: number
  readonly queue: FrameQueue
}

/** The frame before which a slice that begins with `next` ends, when several pages share the frames up to `end`. */
const endOfSlice = (next: number, end: number, pages: number, longest: number): number => {
  const count = Math.min(longest, Math.max(MIN_SLICE_FRAMES, Math.ceil((end - next) / (2 * pages))))
  // What is too short for a slice of its own belongs to the last one.
  return end - (next + count) < MIN_SLICE_FRAMES ? end : next + count
}

/** What pages have captured and what is left of a segment. */
const createSliceList = ({ segment, frameBytes }: SliceParts) => {
  const end = segment.start + segment.frames
  const longest = Math.max(MIN_SLICE_FRAMES, Math.min(MAX_SLICE_FRAMES, Math.floor(AHEAD_BYTES / frameBytes)))
  const buffers = createSpareBuffers()
  const slices: Slice[] = []
  const change = createChange()
  let pages = 1
  /** Where the slice of the first page ends, which begins with the segment. */
  let firstEnd = end
  let next = end
  let passed = segment.start
  let isStill = false
  let isOver = false
  const cut = () => {
    const at = passed + FIRST_SLICE_FRAMES
    if (next < end || at + MIN_SLICE_FRAMES > firstEnd) return false
    if (!isStill) {
      firstEnd = at
      next = at
    }
    return true
  }
  return {
    end,
    async slice(index: number): Promise<Slice> {
      while (!slices[index]) await change.wait()
      return slices[index]
    },
    first: { segment, end: () => firstEnd },
    join() {
      pages += 1
    },
    passed: () => passed,
    /** Reports a frame that was passed on. */
    pass({ index, repeat = false }: Frame) {
      passed = index + 1
      isStill = repeat
      change.note()
    },
    stop() {
      isOver = true
      change.note()
    },
    /** The next slice for a page; undefined when none is left. */
    async take(): Promise<Slice | undefined> {
      while (!isOver && (next < end || cut())) {
        if (next < end && next - passed <= pages * longest) {
          const last = endOfSlice(next, end, pages, longest)
          slices.push({ segment, start: next, end: () => last, queue: createFrameQueue(buffers) })
          next = last
          change.note()
          return slices.at(-1)
        }
        await change.wait()
      }
      return undefined
    },
  }
}

type SliceList = ReturnType<typeof createSliceList>

/** Captures slices with a page, which has shown the frames before `shown`, until none is left. */
const captureSlices = async (list: SliceList, page: SlicePage, shown: number, signal: AbortSignal) => {
  let slice: Slice | undefined
  let next = shown
  try {
    for (slice = await list.take(); slice; slice = await list.take()) {
      for await (const frame of page.frames(slice.start, slice, signal)) {
        signal.throwIfAborted()
        slice.queue.push(frame)
      }
      slice.queue.end()
      next = slice.end()
    }
    page.release(next)
  } catch (thrown) {
    slice?.queue.end(thrown)
    await page.discard()
  }
}

/**
 * Captures a segment with a page, and with every page that helps. The first captures it from its start, and as long as
 * none helps there is one slice; the frames of the others are held until those before have been passed on.
 */
export const createSlicedFrames = (first: SlicePage, parts: SliceParts): SlicedFrames => {
  const list = createSliceList(parts)
  const stop = new AbortController()
  const working: Promise<void>[] = []
  const capture = (page: SlicePage, shown: number) => {
    const work = captureSlices(list, page, shown, stop.signal)
    working.push(work)
    return work
  }
  async function* passOn(frames: AsyncIterable<Frame>): AsyncGenerator<Frame> {
    for await (const frame of frames) {
      list.pass(frame)
      yield frame
    }
  }
  async function* firstFrames(): AsyncGenerator<Frame> {
    let isOver = false
    try {
      yield* passOn(first.frames(parts.segment.start, list.first, stop.signal))
      isOver = true
    } finally {
      // A reader that has the last frame may stop before it learns that it was the last.
      if (!isOver && list.passed() < list.end) await first.discard()
      else if (list.passed() < list.first.end()) first.release(list.passed())
      else void capture(first, list.first.end())
    }
  }
  /** The frames of all slices, up to one that ends early. */
  async function* slicedFrames(): AsyncGenerator<Frame> {
    yield* firstFrames()
    if (list.passed() < list.first.end()) return
    for (let index = 0; list.passed() < list.end; index += 1) {
      const slice = await list.slice(index)
      yield* passOn(slice.queue.read())
      if (list.passed() < slice.end()) return
    }
  }
  return {
    async *frames() {
      try {
        yield* slicedFrames()
      } finally {
        list.stop()
        if (list.passed() < list.end) stop.abort()
        await Promise.all(working)
      }
      if (list.passed() < list.end) yield* parts.alone(list.passed())
    },
    help(page) {
      list.join()
      return capture(page, parts.segment.start)
    },
  }
}
