# Brain without its database: compose.yaml puts a PostgreSQL beside it.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/brain \
    && /opt/brain/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/brain brain
COPY --from=build /opt/brain /opt/brain
# Callers of a container come from another machine, so that keys are asked for from the beginning.
ENV PATH=/opt/brain/bin:$PATH \
    BRAIN_HOME=/var/lib/brain \
    BRAIN_HOST=0.0.0.0 \
    BRAIN_PORT=8123 \
    BRAIN_AUTH_API_KEYS=true
USER brain
WORKDIR /var/lib/brain
VOLUME /var/lib/brain
EXPOSE 8123
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8123/healthz', timeout=4)"]
ENTRYPOINT ["brain"]
CMD ["serve"]
