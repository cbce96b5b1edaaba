# The page in a container: see README.md, "Docker".
FROM python:3.11-slim

# Where torch comes from: the CPU build by default, .../whl/cu130 for a GPU.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu

ENV GRADIO_ANALYTICS_ENABLED=False \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PYTHONUNBUFFERED=1

# The layout engine of the graph reads expat; the slim image leaves it out.
RUN apt-get update && apt-get install -y --no-install-recommends libexpat1 && rm -rf /var/lib/apt/lists/*

RUN pip install --no-cache-dir --index-url "$TORCH_INDEX" "torch>=2.4,<2.14"

WORKDIR /app
COPY pyproject.toml README.md LICENSE NOTICE app.py ./
COPY tooldec tooldec
COPY static static
RUN pip install --no-cache-dir -e .

# Models of the hub are kept here: a volume lets them outlive the container.
RUN useradd --create-home tooldec && install -d -o tooldec -g tooldec /home/tooldec/.cache
USER tooldec

EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "import http.client; page = http.client.HTTPConnection('127.0.0.1', 7860, timeout=4); page.request('GET', '/'); raise SystemExit(page.getresponse().status != 200)"]

# Options of app.py go behind the image's name: docker run … tooldec --model ORG/MODEL
ENTRYPOINT ["python", "app.py", "--host", "0.0.0.0", "--port", "7860"]
