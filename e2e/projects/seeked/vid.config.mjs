export default { render: { segmentFrames: Number(process.env.E2E_SEGMENT ?? 30) } }
