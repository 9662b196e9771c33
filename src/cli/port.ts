import { connect } from "node:net";
import { LOCAL_PORT } from "./platform";

/** How many ports are tried from the default one on. */
const TRIED_PORTS = 20;

/** Asked before the start, since wrangler would fail only some seconds later. */
const isPortInUse = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "localhost" });
    const answer = (inUse: boolean) => () => {
      socket.destroy();
      resolve(inUse);
    };
    socket.on("connect", answer(true));
    socket.on("error", answer(false));
  });

/** The given port, else the first free one. Throws if the given one is in use, or all that it may choose from. */
export async function choosePort(given: number | undefined, isInUse = isPortInUse): Promise<number> {
  const last = given ?? LOCAL_PORT + TRIED_PORTS - 1;
  for (let port = given ?? LOCAL_PORT; port <= last; port++) if (!(await isInUse(port))) return port;
  const taken = given === undefined ? `Every port from ${LOCAL_PORT} to ${last}` : `Port ${given}`;
  throw new Error(`${taken} is in use. Choose another: npm run dev -- --port 9000`);
}
