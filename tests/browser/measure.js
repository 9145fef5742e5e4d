// Measurements of the extension's output on a page, as the browser draws it; contrasts of colours
// take long, and can be left out.
({ withContrasts }) => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const linesOf = (element) => element.innerText.split("\n").map((line) => line.trim());

  // Colours are composited by painting them on one pixel, bottom first; the body's is the page's.
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const composite = (layers) => {
    for (const [color, opacity] of [["white", 1], ...layers]) {
      if (color === "none") continue;
      pixel.globalAlpha = opacity;
      pixel.fillStyle = color;
      pixel.fillRect(0, 0, 1, 1);
    }
    return [...pixel.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const layer = (element) => {
    const style = getComputedStyle(element);
    const isShape = element instanceof SVGGeometryElement;
    return isShape ? [style.fill, Number(style.fillOpacity)] : [style.backgroundColor, 1];
  };
  // a wide diagram holds its middle for the first second
  if (withContrasts) all(".llmsize-scroll").forEach((e) => (e.style.scrollSnapType = "none"));
  const contrast = (text) => {
    if (!withContrasts) return null;
    text.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = text.getBoundingClientRect();
    const stack = document.elementsFromPoint(x + width / 2, y + height / 2);
    const below = [document.body, ...stack.slice(Math.max(stack.indexOf(text), 0)).reverse()].map(layer);
    const style = getComputedStyle(text);
    const ink = text instanceof SVGElement ? style.fill : style.color;
    const levels = [below, [...below, [ink, 1]]]
      .map((layers) => luminance(composite(layers)))
      .sort((a, b) => a - b);
    return (levels[1] + 0.05) / (levels[0] + 0.05);
  };

  const contains = (outer, inner) =>
    outer.left <= inner.left + 1 && outer.right >= inner.right - 1 &&
    outer.top <= inner.top + 1 && outer.bottom >= inner.bottom - 1;

  // Size of a text's letters on the screen, which depends on the zoom of the diagram.
  const sizeOf = (text) => parseFloat(getComputedStyle(text).fontSize) * (text.currentCSSZoom ?? 1);

  const box = (node) => {
    const container = node.querySelector(".label-container, .llmsize-sum");
    const shapes = all("*", node).filter((e) => e instanceof SVGGeometryElement);
    const label = node.querySelector(".nodeLabel");
    return {
      middle: (({ left, width }) => left + width / 2)(container.getBoundingClientRect()),
      top: container.getBoundingClientRect().top,
      width: container.getBoundingClientRect().width,
      id: node.id.match(/flowchart-(.+)-\d+$/)?.[1],
      lines: linesOf(label),
      growth: ["square", "linear", "constant"].find((name) => node.classList.contains(`llmsize-${name}`)),
      kind: ["data", "step", "norm", "heading", "addition"].find((name) => node.classList.contains(`llmsize-${name}`)),
      size: sizeOf(label.querySelector("p") ?? label),
      font: getComputedStyle(label.querySelector("p") ?? label).fontFamily,
      isDouble: getComputedStyle(label).outlineStyle === "solid",
      fill: getComputedStyle(shapes[0]).fill,
      fits: contains(container.getBoundingClientRect(), label.getBoundingClientRect()),
      contrast: contrast(label.querySelector("p") ?? label),
    };
  };
  // Titles of clusters: beside the first arrow, or Mermaid's own in diagrams to the right.
  const titlesOf = (element) =>
    all(".llmsize-title > span, .cluster-label .nodeLabel", element).filter((e) => e.innerText.trim());
  // Texts that no line may cross: titles, those beside arrows, and those in boxes.
  const texts = (element) => [
    ...titlesOf(element),
    ...all(".llmsize-beside:not(.llmsize-title, .llmsize-reserved) > span, .node:not(.llmsize-addition, .llmsize-either) .nodeLabel", element),
  ];
  // True if an arrow runs through the text of a title or label.
  const isCrossed = (title, element) => {
    const room = title.getBoundingClientRect();
    return all(".flowchart-link", element).some((line) => {
      const length = line.getTotalLength();
      const matrix = line.getScreenCTM();
      for (let at = 0; at <= length; at += 2) {
        const { x, y } = line.getPointAtLength(at).matrixTransform(matrix);
        if (x > room.left && x < room.right && y > room.top && y < room.bottom) return true;
      }
      return false;
    });
  };
  // Short pieces of a path that lead sideways in a diagram from top to bottom, of a pixel or more.
  const jogs = (path) => {
    const points = path.getAttribute("d").split(/[ML]/).slice(1).map((point) => Number(point.split(",")[0]));
    return points.slice(1).map((x, i) => Math.abs(x - points[i])).filter((piece) => piece >= 1 && piece < 24);
  };
  // Positions across the diagram at which lines past other steps end, without their last turn.
  const lanes = (element) =>
    all(".flowchart-link[id*=L_dot_][id*=_joint_]", element).map((line) => line.getPointAtLength(line.getTotalLength()).x);
  // Distances, along the diagram, of lines that end at the side of a sum from the middle of the nearest sum.
  const besides = (element) => {
    const middles = all(".llmsize-sum", element).map((e) => e.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
    return all(".flowchart-link:is([data-id$=_left], [data-id$=_right])", element).map((line) => {
      const { y } = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.getScreenCTM());
      return middles.map((middle) => y - middle).sort((a, b) => Math.abs(a) - Math.abs(b))[0];
    });
  };
  // Numbers in a path that lead neither straight across nor straight down; NaN for a curve.
  const slants = (path) => {
    const points = path.getAttribute("d").split(/[ML]/).slice(1).map((point) => point.split(",").map(Number));
    return points.slice(1).map(([x, y], i) => Math.min(Math.abs(x - points[i][0]), Math.abs(y - points[i][1])));
  };
  // Smallest distance between boxes side by side.
  const gap = (element) => {
    const rooms = all(".node .label-container:not(.anchor)", element).map((e) => e.getBoundingClientRect());
    const beside = (one, other) => one.right <= other.left && one.top < other.bottom && other.top < one.bottom;
    const gaps = rooms.flatMap((one) => rooms.filter((other) => beside(one, other)).map((other) => other.left - one.right));
    return Math.min(...gaps, Infinity);
  };
  const diagram = (element) => {
    const svg = element.querySelector("svg");
    return {
      width: svg?.getBoundingClientRect().width ?? 0,
      height: svg?.getBoundingClientRect().height ?? 0,
      title: svg?.querySelector("title")?.textContent,
      boxes: all(".node:not(:has(> .anchor), .llmsize-either)", element).map(box),
      clusters: titlesOf(element).map((e) => linesOf(e).join(" ")),
      overflow: ((e) => e.scrollWidth - e.clientWidth)(element.closest(".llmsize-scroll")),
      slant: Math.max(0, ...all(".flowchart-link", element).flatMap(slants)),
      jogs: all(".flowchart-link", element).flatMap(jogs),
      lanes: lanes(element),
      besides: besides(element),
      gap: gap(element),
      crossed: texts(element).filter((title) => isCrossed(title, element)).map((e) => e.innerText),
      arrows: all(".edgeLabels p", element).filter((e) => !e.querySelector(".llmsize-title, .llmsize-reserved")).map((e) => linesOf(e).join(" ")),
      covered: all("button", element.parentElement).some((button) => {
        const [one, other] = [button, svg].map((e) => e.getBoundingClientRect());
        return one.top < other.bottom && one.bottom > other.top && one.left < other.right && one.right > other.left;
      }),
      otherContrasts: all(".edgeLabels p:not(:has(.llmsize-reserved)), .llmsize-badge > span", element).map(contrast),
    };
  };

  const letters = (text) => ({
    text: text.textContent,
    size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a,
    contrast: contrast(text),
  });
  // True if a formula is a block whose edge hides some of its signs.
  const isCut = (math) => {
    const drawn = math.querySelector("svg");
    if (!drawn || getComputedStyle(math).display === "inline" || math.scrollWidth > math.clientWidth) return false;
    return !contains(math.getBoundingClientRect(), drawn.getBoundingClientRect());
  };
  // Elements with names of attributes and addresses of links, without those of MathJax.
  const structure = (container) =>
    all("*", container)
      .filter((e) => !e.closest("mjx-container"))
      .map((e) => {
        const address = (e.getAttribute("href") ?? e.getAttribute("src") ?? "").replace(/^#.*/, "#");
        return [e.localName, ...e.getAttributeNames().sort(), address].join(" ");
      });

  return {
    pageWidth: document.documentElement.clientWidth,
    contentWidth: document.documentElement.scrollWidth,
    diagrams: all(".mermaid").filter((e) => e.checkVisibility()).map(diagram),
    // diagrams drawn without Mermaid, for narrow columns
    drawn: all(".llmsize-diagram .llmsize-narrow svg").filter((e) => e.checkVisibility()).map((e) => ({
      title: e.querySelector("title").textContent,
      width: e.getBoundingClientRect().width,
      overflow: ((region) => region.scrollWidth - region.clientWidth)(e.closest(".llmsize-scroll")),
    })),
    // elements that scroll inside a scrolling region, and cannot be focused
    nested: all(".llmsize-scroll *")
      .filter((e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX))
      .map((e) => e.className),
    // a chart is drawn twice, for wide and for narrow columns
    letters: all(".llmsize svg text").filter((e) => e.checkVisibility()).map(letters),
    structures: all(".llmsize").map(structure),
    captions: all(".llmsize caption .caption-text").map((e) => e.innerText),
    names: all(".llmsize-sizes strong").map((e) => e.innerText),
    formulas: all(".llmsize .llmsize-display").map((e) => ({
      typeset: [...e.querySelectorAll(".math")].every((math) => math.querySelector("mjx-container")),
      cut: all(".math", e).filter((math) => isCut(math)).map((math) => math.parentElement.className),
      failed: e.querySelector("merror, mjx-merror, [data-mjx-error], [data-mml-node=merror]") !== null,
      width: e.clientWidth,
      contentWidth: e.scrollWidth,
    })),
    injected: all(
      "[onerror], [onclick], .llmsize img, .llmsize script, a[href^='javascript' i], a[*|href^='javascript' i]",
    ).map((e) => e.outerHTML),
  };
}
